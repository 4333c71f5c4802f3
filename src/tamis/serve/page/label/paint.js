/**
 * The colours of the six kinds inside the frame. They are Okabe and Ito's, which people with any colour
 * vision can tell apart; the lines below the words differ, too. The paint is opaque, so that a kind
 * looks the same, and can be read, on whatever background a page has.
 */
export const PAINT = `
[data-tamis] { cursor: crosshair; transition: none; }
.tamis-main, .tamis-title, .tamis-comments, .tamis-navigation, .tamis-promotion, .tamis-other {
  color: #16181a !important;
  background-color: color-mix(in srgb, var(--tamis-kind) 20%, #fff) !important;
  text-decoration: underline var(--tamis-line) color-mix(in srgb, var(--tamis-kind) 60%, #fff) 2px !important;
  text-underline-offset: .18em !important;
  text-shadow: none !important;
  border-radius: 2px;
  box-decoration-break: clone;
  -webkit-box-decoration-break: clone;
}
.tamis-main { --tamis-kind: #0072b2; --tamis-line: solid; }
.tamis-title { --tamis-kind: #e69f00; --tamis-line: double; }
.tamis-comments { --tamis-kind: #009e73; --tamis-line: dotted; }
.tamis-navigation { --tamis-kind: #cc79a7; --tamis-line: dashed; }
.tamis-promotion { --tamis-kind: #d55e00; --tamis-line: wavy; }
.tamis-other { --tamis-kind: #8f8f8f; --tamis-line: none; color: #5a5a5a !important; }
.tamis-given {
  background-color: color-mix(in srgb, var(--tamis-kind) 42%, #fff) !important;
  text-decoration-color: var(--tamis-kind) !important;
}
.tamis-other.tamis-given { color: #2b2b2b !important; }
[data-tamis].tamis-hover { box-shadow: 0 0 0 2px var(--tamis-kind); }
[data-tamis].tamis-picked { outline: 2px dashed #111; outline-offset: 2px; box-shadow: 0 0 0 4px #fff; }
[data-tamis].tamis-cursor { outline: 2px solid #111; outline-offset: 2px; box-shadow: 0 0 0 4px #fff; }
`;
