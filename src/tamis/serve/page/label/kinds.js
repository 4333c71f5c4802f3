/**
 * The six kinds of blocks, in the order of the brushes.
 *
 * @typedef {"main" | "title" | "comments" | "navigation" | "promotion" | "other"} Kind
 * @typedef {{kind: Kind, name: string, about: string}} Brush
 */

/** @type {readonly Brush[]} */
export const BRUSHES = [
  { kind: "main", name: "Main", about: "What the page is about" },
  { kind: "title", name: "Title", about: "The headline of the main content" },
  { kind: "comments", name: "Comments", about: "What readers wrote below it" },
  { kind: "navigation", name: "Navigation", about: "Menus, breadcrumbs, lists of other pages" },
  { kind: "promotion", name: "Promotion", about: "Advertisements, sign-ups, sharing, teasers" },
  { kind: "other", name: "Other", about: "Anything else: notices, dates, footers" },
];

/** @param {Kind} kind */
export function nameOf(kind) {
  return BRUSHES.find((brush) => brush.kind === kind)?.name ?? kind;
}
