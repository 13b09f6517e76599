// Text into the clipboard, and a button that says so. Browsers offer one on this machine and over https only: elsewhere a
// selected field is copied, as it was done before there was one.

import { announce } from './asking.js';
import { element } from './dom.js';

const THANKS = 1500; // milliseconds

export async function copy(text, button) {
  const words = await navigator.clipboard?.writeText(text).then(() => true, () => false) || selected(text) ? 'Copied' : 'Not allowed to copy';
  announce(words);
  button.dataset.words ??= button.textContent;
  button.textContent = words;
  setTimeout(() => { button.textContent = button.dataset.words; }, THANKS);
}

function selected(text) {
  const field = element('textarea', { class: 'unseen', readonly: '', 'aria-hidden': 'true' }, text);
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  focused?.focus({ preventScroll: true });
  return done;
}
