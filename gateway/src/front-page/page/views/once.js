/**
 * A click handler that ignores the second click of a double click: the first one may have put another button under the pointer.
 * @param {() => void} act
 */
export const once =
  (act) =>
  (/** @type {MouseEvent} */ { detail }) => {
    if (detail < 2) act()
  }
