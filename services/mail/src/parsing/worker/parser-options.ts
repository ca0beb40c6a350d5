/** Options of mailparser (nodemailer.com/extras/mailparser). */
export const options = {
  skipImageLinks: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  keepCidLinks: true,
  checksumAlgo: false as const,
  // The library converts no longer HTML to text, and reports that: `textOf` does it, without the bytes of images.
  maxHtmlLengthToParse: 1,
}
