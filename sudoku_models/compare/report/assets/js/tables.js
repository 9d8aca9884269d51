// Tables whose headings sort them: numbers by size, what is empty always last.
function sortable(table) {
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    const button = el("button", { type: "button" }, heading.textContent);
    heading.replaceChildren(button);
    button.addEventListener("click", () => {
      const descending = heading.getAttribute("aria-sort") === "ascending";
      for (const other of headings) other.removeAttribute("aria-sort");
      heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
      sortRows(table.tBodies[0], column, descending);
    });
  });
}
function sortRows(body, column, descending) {
  const key = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent;
  const compare = (a, b) => {
    const [p, q] = [key(a), key(b)];
    if (p === "" || q === "") return (p === "") - (q === "");
    const [m, n] = [Number(p), Number(q)];
    const order = Number.isNaN(m) || Number.isNaN(n) ? p.localeCompare(q, "en", { numeric: true }) : m === n ? 0 : m - n;
    return descending ? -order : order;
  };
  body.append(...[...body.rows].sort(compare));
}
