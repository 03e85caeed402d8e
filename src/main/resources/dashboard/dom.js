// Elements are made here and nowhere else. Text is set as text: what comes from relays is never read as HTML.

/** An element: `on` holds listeners, other attributes are set unless they are null, undefined or false. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function fill(node, { on = {}, ...attributes }, children) {
  for (const [name, value] of Object.entries(attributes)) {
    setAttribute(node, name, value);
  }
  for (const [event, listener] of Object.entries(on)) {
    node.addEventListener(event, listener);
  }
  node.append(...present(children));
  return node;
}

export function setAttribute(node, name, value) {
  if (value === null || value === undefined || value === false) {
    node.removeAttribute(name);
  } else if (node.getAttribute(name) !== String(value)) {
    node.setAttribute(name, value === true ? '' : value);
  }
}

/** Touches the page only where something changed, so that a selection or a screen reader is not disturbed. */
export function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

export function replace(node, ...children) {
  node.replaceChildren(...present(children));
}

function present(children) {
  return children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false);
}

/** Says something to screen readers without moving the focus. */
export function announce(text) {
  setText(document.getElementById('announcer'), text);
}
