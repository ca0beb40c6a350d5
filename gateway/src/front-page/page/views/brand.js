import { html } from '../modules/lit-html/lit-html.js'

const picture = html`<img src="front-page/icon.svg" alt="" width="32" height="32">`

/** @param {'h1' | 'p'} element `h1` where the brand is the title of the page */
export const brand = (element) =>
  element === 'h1'
    ? html`<h1 class="brand">${picture} <span>Caseway</span></h1>`
    : html`<p class="brand">${picture} <span>Caseway</span></p>`
