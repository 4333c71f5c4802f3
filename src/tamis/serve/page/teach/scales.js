/** From values to places in a drawing. */

/**
 * A linear scale.
 *
 * @param {readonly [number, number]} domain
 * @param {readonly [number, number]} range
 * @returns {(value: number) => number}
 */
export function scale([low, high], [start, end]) {
  const span = high - low || 1;
  // A hundredth of a pixel is enough.
  return (value) => Math.round((start + ((value - low) / span) * (end - start)) * 100) / 100;
}

/**
 * Round values that cover the range, about so many.
 *
 * @param {number} low
 * @param {number} high
 * @param {number} about
 */
export function ticks(low, high, about = 5) {
  const span = high - low || 1;
  const rough = span / Math.max(1, about);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999) ?? 10);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => rounded((first + index) * step));
}

/** Without the rests of binary fractions. @param {number} value */
function rounded(value) {
  return Number(value.toPrecision(12)) || 0;
}
