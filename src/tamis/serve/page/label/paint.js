/**
 * The colours of the six kinds inside the frame. Okabe and Ito's, which people with any colour vision can
 * tell apart; the lines below the words differ, too.
 */
export const PAINT = `
[data-tamis] { cursor: crosshair; transition: none; }
.tamis-main, .tamis-title, .tamis-comments, .tamis-navigation, .tamis-promotion, .tamis-other {
  background-color: color-mix(in srgb, var(--tamis-kind) 20%, transparent) !important;
  text-decoration: underline var(--tamis-line) color-mix(in srgb, var(--tamis-kind) 55%, transparent) 2px !important;
  text-underline-offset: .18em !important;
  border-radius: 2px;
  box-decoration-break: clone;
}
.tamis-main { --tamis-kind: #0072b2; --tamis-line: solid; }
.tamis-title { --tamis-kind: #e69f00; --tamis-line: double; }
.tamis-comments { --tamis-kind: #009e73; --tamis-line: dotted; }
.tamis-navigation { --tamis-kind: #cc79a7; --tamis-line: dashed; }
.tamis-promotion { --tamis-kind: #d55e00; --tamis-line: wavy; }
.tamis-other { --tamis-kind: #7d7d7d; --tamis-line: none; opacity: .62; }
.tamis-given {
  background-color: color-mix(in srgb, var(--tamis-kind) 38%, transparent) !important;
  text-decoration-color: var(--tamis-kind) !important;
}
[data-tamis].tamis-hover { box-shadow: 0 0 0 2px var(--tamis-kind); opacity: 1; }
[data-tamis].tamis-picked { outline: 2px dashed #111; outline-offset: 2px; box-shadow: 0 0 0 4px #fffc; opacity: 1; }
[data-tamis].tamis-cursor { outline: 2px solid #111; outline-offset: 2px; box-shadow: 0 0 0 4px #fffc; opacity: 1; }
`;
