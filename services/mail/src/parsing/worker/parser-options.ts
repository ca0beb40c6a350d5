/** Of mailparser (nodemailer.com/extras/mailparser). */
export const options = {
  skipImageLinks: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  keepCidLinks: true,
  checksumAlgo: false as const,
  // Of what is longer the library makes no text, and says so: it is made of the HTML without the bytes of images (`textOf`).
  maxHtmlLengthToParse: 1,
}
