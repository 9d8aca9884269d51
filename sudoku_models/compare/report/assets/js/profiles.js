// How many are answered within which time: as a share (ECDF), and as a cactus.
const hidden = new Set();
const rankedBackends = data.backends.map((b, i) => i).filter((i) => data.backends[i].ranked);
const shown = () => rankedBackends.filter((b) => !hidden.has(b));
const counted = data.instances.map((_, i) => i).filter((i) => data.ranked[i]);
const profileKind = { ecdf: "log", cactus: "log" };

function legend() {
  byId("legend").replaceChildren(...rankedBackends.map((b) => el("button", {
    type: "button", "aria-pressed": "true",
    onclick: (event) => {
      if (hidden.has(b)) hidden.delete(b); else if (shown().length > 1) hidden.add(b);
      event.currentTarget.setAttribute("aria-pressed", String(!hidden.has(b)));
      redrawAll();
    },
  }, el("i", { class: "dot", colour: colourOf(b) }), document.createTextNode(nameOf(b)))));
}

function answeredInOrder(backend, among = counted) {
  const found = among.filter((i) => data.medians[backend][i] > 0);
  return found.sort((a, b) => data.medians[backend][a] - data.medians[backend][b]);
}

function timeAxis(kind, title) {
  const [low, high] = timeBounds(rankedBackends, kind);
  return { kind, low, high, text: shortTime, title, limit: anyLost(rankedBackends) ? data.limit : null };
}

function drawEcdf(host, among = counted) {
  const found = frame(host, {
    label: "Share of puzzles answered within a time", emphasise: true,
    x: timeAxis(profileKind.ecdf, "time of a run"),
    y: { kind: "linear", low: 0, high: 1, text: (v) => `${Math.round(v * 100)} %`, title: "share answered" },
  });
  for (const b of shown()) {
    const order = answeredInOrder(b, among), share = (k) => found.y(k / among.length);
    let path = `M${found.x(order.length ? data.medians[b][order[0]] : 0)},${share(0)}`;
    order.forEach((i, k) => {
      const px = found.x(data.medians[b][i]);
      path += `H${px.toFixed(1)}V${share(k + 1).toFixed(1)}`;
      found.points.push({
        x: px, y: share(k + 1), series: b,
        text: () => `${nameOf(b)}\n${k + 1} of ${among.length} within ${time(data.medians[b][i])}\n${instanceText(i)}`,
        go: () => openInstance(i),
      });
    });
    if (order.length) path += `H${found.x(data.limit && anyLost(rankedBackends) ? data.limit : timeBounds(rankedBackends, profileKind.ecdf)[1]).toFixed(1)}`;
    series(found, b, path);
  }
}

function drawCactus(host) {
  const found = frame(host, {
    label: "Cactus plot", emphasise: true,
    x: { kind: "linear", low: 0, high: Math.max(1, counted.length), text: count, title: "puzzles answered" },
    y: { ...timeAxis(profileKind.cactus, ""), title: "time of a run" },
  });
  for (const b of shown()) {
    const order = answeredInOrder(b);
    const points = order.map((i, k) => [found.x(k + 1), found.y(data.medians[b][i])]);
    order.forEach((i, k) => found.points.push({
      x: points[k][0], y: points[k][1], series: b,
      text: () => `${nameOf(b)}\n${k + 1} puzzles within ${time(data.medians[b][i])} each\n${instanceText(i)}`,
      go: () => openInstance(i),
    }));
    if (points.length) series(found, b, "M" + points.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join("L"));
  }
}

function series(found, backend, path) {
  found.add(svg("path", { class: "series", d: path, colour: colourOf(backend), "stroke-dasharray": dashOf(backend), "data-series": backend }));
}
