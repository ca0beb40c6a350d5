/** The texts of the form. `texts` in the settings of the widget overrides them. */
export const defaultTexts = {
  changed: 'The questions have changed. Please load the page again.',
  choose: 'Choose…',
  closed: 'This poll is closed.',
  company: 'Company',
  contact: 'How we can reach you',
  email: 'E-mail',
  failed: 'Your answers could not be sent. They are kept here.',
  firstname: 'First name',
  lastname: 'Last name',
  long: 'Your answers are too long. Please shorten them.',
  missing: 'Please answer this question.',
  phone: 'Phone',
  required: 'required',
  retry: 'Try again',
  send: 'Send',
  sending: 'Sending…',
  thanks: 'Thank you for your answers.',
  wait: 'Too many answers were sent. Yours are kept and sent in {seconds} seconds.',
  wrong: 'Please check this answer.',
}

export type Texts = typeof defaultTexts
