/** Prints with the browser's own engine, which shapes every script right. */
import printStyles from './print.css?inline';

/** Nothing but what is printed is on the paper, and nothing of it on the screen. */
const PAGE_STYLES = `
  @media screen { .print-root { display: none } }
  @media print {
    html, body { background: #fff !important; height: auto !important; overflow: visible !important; position: static !important; inset: auto !important }
    body > :not(.print-root) { display: none !important }
  }`;

/** A text as CSS writes it. */
const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&').replace(/\s+/g, ' ')}"`;

/** Margins of the paper, and what runs along its foot where the browser can: name, page, pages. */
const paperStyles = (title: string) => `
  @page {
    margin: 20mm 18mm 22mm;
    @bottom-left { content: ${quoted(title)}; font: 9pt system-ui, sans-serif; color: #655f5a }
    @bottom-right { content: counter(page) " / " counter(pages); font: 9pt system-ui, sans-serif; color: #655f5a }
  }`;

/** The page's policy on content allows no style elements; this is a way that it does allow. */
function sheetOf(styles: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  return sheet;
}

let removeLast = () => {};

/**
 * Opens the browser's print dialogue.
 * @param title what a PDF of it is called
 * @param html elements, in which everything that somebody said is escaped
 */
export async function printHtml(
  title: string,
  html: string,
  direction: 'ltr' | 'rtl',
): Promise<void> {
  removeLast();
  const root = document.createElement('div');
  root.className = 'print-root';
  root.dir = direction;
  // A tree of its own: the app's styles are made for the screen, and for the dark.
  const tree = root.attachShadow({ mode: 'open' });
  tree.innerHTML = html;
  tree.adoptedStyleSheets = [sheetOf(printStyles)];
  const styles = sheetOf(PAGE_STYLES + paperStyles(title));
  const { title: before } = document;
  document.adoptedStyleSheets.push(styles);
  document.body.append(root);
  document.title = title;
  const remove = () => {
    root.remove();
    const others = document.adoptedStyleSheets.filter((each) => each !== styles);
    document.adoptedStyleSheets = others;
    // Whoever has gone elsewhere meanwhile has another title.
    if (document.title === title) document.title = before;
    removeLast = () => {};
  };
  removeLast = remove;
  await document.fonts.ready;
  // Some browsers return from print() before anything is printed.
  window.addEventListener('afterprint', remove, { once: true });
  window.print();
}
