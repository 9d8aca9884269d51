// Elements, and what the script draws from.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

function put(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "text") node.textContent = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "colour") node.style.setProperty("--colour", value);
    else if (name === "background" || name === "flex") node.style[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children || []) if (child) node.append(child);
  return node;
}
const el = (tag, attributes, ...children) => put(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => put(document.createElementNS(SVG, tag), attributes, children);

const colourOf = (backend) => `var(--c${backend % 10})`;
const dashOf = (backend) => [null, "7 4", "2 3", "9 3 2 3"][Math.floor(backend / 10) % 4];
const nameOf = (backend) => data.backends[backend].name;

function switcher(host, choices, chosen, changed) {
  const buttons = choices.map(([value, text]) => el("button", {
    type: "button", text, "data-value": value, "aria-pressed": String(value === chosen),
    onclick: () => {
      for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.value === value));
      changed(value);
    },
  }));
  host.replaceChildren(...buttons);
}

const tip = byId("tip");
function showTip(event, text) {
  tip.textContent = text;
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const x = event.clientX + 16 + box.width > innerWidth ? event.clientX - box.width - 12 : event.clientX + 16;
  const y = Math.min(event.clientY + 14, innerHeight - box.height - 8);
  tip.style.left = `${Math.max(4, x)}px`;
  tip.style.top = `${Math.max(4, y)}px`;
}
function hideTip() { tip.hidden = true; }
