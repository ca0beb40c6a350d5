/** The mutations of one file: each row is the text, what stands there instead, and the test that has to fail, in `test` unless it names another. */
export const of = (file, test, rows) =>
  rows.map(([text, replacement, killedBy, other = test]) => ({ file, text, with: replacement, test: other, killedBy }))
