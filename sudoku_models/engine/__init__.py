"""The road from a model to checked solutions: contract, registry, road, check, isolation."""
