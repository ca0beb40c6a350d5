/** The styles in the shadow root. They are a constructed style sheet, which the page's Content-Security-Policy does not block. */
export const css = `
:host { display: block; font: 1rem/1.5 system-ui, sans-serif; color: #1c1c1c; overflow-wrap: anywhere; }
form { background: #fff; padding: 1rem; max-width: 40rem; }
h2 { font-size: 1.25rem; margin: 0 0 1rem; }
form > div, fieldset { margin: 0 0 1rem; padding: 0; border: 0; min-width: 0; }
label, legend { display: block; padding: 0; }
.choice { display: flex; gap: .5rem; align-items: baseline; padding: .125rem 0; }
input:not([type=radio], [type=checkbox]), textarea, select { box-sizing: border-box; width: 100%; font: inherit; color: inherit;
  background: #fff; padding: .375rem .5rem; border: 1px solid #6b6b6b; border-radius: .25rem; }
[aria-invalid=true] { border-color: #b00020; }
.wrong { color: #b00020; margin: .125rem 0 0; }
button { font: inherit; padding: .5rem 1rem; border: 0; border-radius: .25rem; background: #1a4fa0; color: #fff; }
button[aria-disabled=true] { background: #595959; }
:focus-visible { outline: 3px solid #1a4fa0; outline-offset: 2px; }
`
