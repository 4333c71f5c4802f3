/** Blocks by their order on the page. */

/**
 * The blocks from one to the other, in whichever direction.
 *
 * @param {readonly number[]} order the blocks that can be seen, ascending
 * @param {number} from
 * @param {number} to
 */
export function between(order, from, to) {
  const low = Math.min(from, to);
  const high = Math.max(from, to);
  return order.filter((block) => low <= block && block <= high);
}

/**
 * The block so many steps away, or the last one in that direction; without a block, the first one.
 *
 * @param {readonly number[]} order
 * @param {number | null} block
 * @param {number} steps
 * @returns {number | null}
 */
export function stepFrom(order, block, steps) {
  if (!order.length) return null;
  if (block === null) return (steps > 0 ? order[0] : order.at(-1)) ?? null;
  const next = order.findIndex((other) => other >= block);
  const exact = order[next] === block;
  // Between two blocks, a step forward is to the next one.
  const at = next < 0 ? order.length : next;
  const target = exact || steps < 0 ? at + steps : at + steps - 1;
  return order[Math.max(0, Math.min(order.length - 1, target))] ?? null;
}
