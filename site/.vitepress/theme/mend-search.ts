/**
 * The theme's search as those meet it who do not see it: the theme calls the whole box a button, and each result an option with a link
 * inside. Here the box is a dialog, and the link is the option. The theme writes its attributes again whenever results or the chosen one
 * change, so they are watched.
 */
function mendResult(item: Element): void {
  const link = item.querySelector('a');
  if (link === null) return;
  item.setAttribute('role', 'none');
  link.setAttribute('role', 'option');
  // What it is called is what it shows.
  link.removeAttribute('aria-label');
  for (const name of ['id', 'aria-selected']) {
    const value = item.getAttribute(name);
    if (value === null) continue;
    link.setAttribute(name, value);
    item.removeAttribute(name);
  }
}

/** The key that is shown in the button is no part of its name: style.css draws it. */
function mendButton(): void {
  for (const key of document.querySelectorAll('.DocSearch-Button-Key:last-child'))
    if (key.textContent !== '') key.textContent = '';
}

function mendBox(box: Element): void {
  box.setAttribute('role', 'dialog');
  box.setAttribute('aria-modal', 'true');
  for (const name of ['aria-expanded', 'aria-haspopup', 'aria-owns']) box.removeAttribute(name);
  // Names of keys are for elements that have names.
  for (const key of box.querySelectorAll('kbd[aria-label]')) {
    key.removeAttribute('aria-label');
    key.setAttribute('aria-hidden', 'true');
  }
  for (const item of box.querySelectorAll('.results > li')) mendResult(item);
}

let observer: MutationObserver | undefined;

/** From now on. */
export function mendSearch(): void {
  mendButton();
  observer ??= new MutationObserver(() => {
    mendButton();
    const box = document.querySelector('.VPLocalSearchBox');
    if (box !== null) mendBox(box);
    // What was just changed is no news.
    observer?.takeRecords();
  });
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['aria-selected', 'aria-owns', 'aria-label', 'role'],
  });
}
