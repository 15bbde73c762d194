/** Prints through the browser, whose engine renders every script correctly. */
import printStyles from './print.css?inline';

/** Shows the print content only in print, and the app only on screen. */
const PAGE_STYLES = `
  @media screen { .print-root { display: none } }
  @media print {
    html, body { background: #fff !important; height: auto !important; overflow: visible !important; position: static !important; inset: auto !important }
    body > :not(.print-root) { display: none !important }
  }`;

/** A CSS string. */
const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&').replace(/\s+/g, ' ')}"`;

/** Page margins, and a footer with name and page numbers where the browser supports it. */
const paperStyles = (title: string) => `
  @page {
    margin: 20mm 18mm 22mm;
    @bottom-left { content: ${quoted(title)}; font: 9pt system-ui, sans-serif; color: #655f5a }
    @bottom-right { content: counter(page) " / " counter(pages); font: 9pt system-ui, sans-serif; color: #655f5a }
  }`;

/** A constructed style sheet, because the content security policy forbids style elements. */
function createStyleSheet(styles: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  return sheet;
}

let removeLast = () => {};

/**
 * Opens the browser's print dialog.
 * @param title suggested name of a PDF
 * @param html elements with all content escaped
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
  // A shadow tree excludes the app's screen styles.
  const tree = root.attachShadow({ mode: 'open' });
  tree.innerHTML = html;
  tree.adoptedStyleSheets = [createStyleSheet(printStyles)];
  const styles = createStyleSheet(PAGE_STYLES + paperStyles(title));
  const { title: before } = document;
  document.adoptedStyleSheets.push(styles);
  document.body.append(root);
  document.title = title;
  const remove = () => {
    root.remove();
    const others = document.adoptedStyleSheets.filter((each) => each !== styles);
    document.adoptedStyleSheets = others;
    // Keeps a title set by navigation in the meantime.
    if (document.title === title) document.title = before;
    removeLast = () => {};
  };
  removeLast = remove;
  await document.fonts.ready;
  // In some browsers print() returns before printing.
  window.addEventListener('afterprint', remove, { once: true });
  window.print();
}
