"""Tests of the bulk solver."""
