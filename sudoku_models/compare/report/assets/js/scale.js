// Numbers with units, scales, ticks.
function three(value) {
  return value >= 99.95 ? value.toLocaleString("en", { maximumFractionDigits: 0 }) : value.toPrecision(3);
}
function time(value) {
  if (value === null || value === undefined) return "";
  if (value === 0) return "0";
  const [size, unit] = value >= 0.9995 ? [1, "s"] : value >= 0.0009995 ? [1e-3, "ms"] : [1e-6, "µs"];
  return `${three(value / size)} ${unit}`;
}
function shortTime(value) {
  const text = time(value);
  return text.replace(/(\.\d*?)0+ /, "$1 ").replace(/\. /, " ");
}
const count = (value) => value.toLocaleString("en", { maximumFractionDigits: 2 });
function bytes(value) { return value === null ? "" : `${three(value / 1048576)} MiB`; }
function ratio(value) { return value >= 100 ? `${count(Math.round(value))} ×` : `${value < 0.001 ? value.toExponential(1) : value.toPrecision(3)} ×`; }
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length / 2) - 1];
}

function logScale(low, high, from, to) {
  const a = Math.log(low), b = Math.log(high > low ? high : low * 10);
  const scale = (value) => from + (Math.log(Math.max(value, low)) - a) / (b - a) * (to - from);
  scale.ticks = () => {
    const decades = (b - a) / Math.LN10, steps = decades > 3 ? [1] : decades > 1.3 ? [1, 3] : [1, 2, 5], found = [];
    for (let e = Math.floor(a / Math.LN10); e <= Math.ceil(b / Math.LN10); e++) {
      for (const step of steps) {
        const tick = Number(`${step}e${e}`);
        if (tick >= low * 0.999 && tick <= high * 1.001) found.push(tick);
      }
    }
    return found;
  };
  return scale;
}
function linearScale(low, high, from, to) {
  const width = high > low ? high - low : 1;
  const scale = (value) => from + (value - low) / width * (to - from);
  scale.ticks = () => {
    const rough = width / 5, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999), found = [];
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) found.push(Number((i * step).toPrecision(12)));
    return found;
  };
  return scale;
}
const scaleOf = (kind, ...bounds) => (kind === "log" ? logScale : linearScale)(...bounds);

// The least and the greatest answered time, and the limit where there is one.
function timeBounds(backends, kind) {
  let low = Infinity, high = 0;
  for (const b of backends) for (const t of data.medians[b]) if (t > 0) { low = Math.min(low, t); high = Math.max(high, t); }
  if (!high) [low, high] = [0.001, data.limit || 1];
  if (anyLost(backends) && data.limit) high = Math.max(high, data.limit);
  return kind === "log" ? [low / 1.25, high * 1.12] : [0, high * 1.04];
}
const anyLost = (backends) => backends.some((b) => data.medians[b].some((t) => t === -1));
