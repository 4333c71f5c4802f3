/* What `window.py` asks of a document; run in it as one expression, which gives the functions. */
(() => {
  const split = " >>> ";

  /** All elements that a place names; the part after >>> is looked for in the frames before it. */
  function all(place, root = document) {
    const at = place.indexOf(split);
    const outer = at < 0 ? place : place.slice(0, at);
    const found = [...root.querySelectorAll(outer)];
    if (at < 0) return found;
    const inside = found.flatMap((frame) => (frame.contentDocument ? [frame.contentDocument] : []));
    return inside.flatMap((document) => all(place.slice(at + split.length), document));
  }

  /** Whether a person could see it. */
  function isShown(element) {
    return element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  }

  function shown(place) {
    return all(place).filter(isShown);
  }

  /** Where the middle of the first of them is in the window, if it can be clicked there; else why not. */
  function middle(place) {
    const element = shown(place)[0];
    element?.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    return middleAsIs(place);
  }

  function middleAsIs(place) {
    const element = shown(place)[0];
    if (!element) return { fault: all(place).length ? "it is not shown" : "it is not there" };
    if (element.disabled) return { fault: "it is disabled" };
    const box = element.getClientRects()[0];
    let [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const over = element.ownerDocument.elementFromPoint(x, y);
    const labelled = over?.closest("label")?.control === element;
    if (!over || !(labelled || element.contains(over) || over.contains(element)))
      return { fault: `${over ? over.outerHTML.slice(0, 200) : "nothing"} is at its place` };
    let view = element.ownerDocument.defaultView;
    while (view.frameElement) {
      const frame = view.frameElement;
      const outside = frame.getBoundingClientRect();
      const [dx, dy] = [outside.x + frame.clientLeft, outside.y + frame.clientTop];
      [x, y] = [x + dx, y + dy];
      view = frame.ownerDocument.defaultView;
    }
    return { x, y };
  }

  return { all, shown, middle, middleAsIs };
})()
