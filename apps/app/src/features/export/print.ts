/** Prints through the browser, whose engine renders every script correctly. */
import printStyles from './print.css?inline';

/** Styles that show the print content only when printing, and the app only on screen. */
const PAGE_STYLES = `
  @media screen { .print-root { display: none } }
  @media print {
    html, body { background: #fff !important; height: auto !important; overflow: visible !important; position: static !important; inset: auto !important }
    body > :not(.print-root) { display: none !important }
  }`;

/** Formats a string as a CSS string. */
const toCssString = (text: string) => `"${text.replace(/["\\]/g, '\\$&').replace(/\s+/g, ' ')}"`;

/** Returns the styles of the printed page: margins, and a footer in browsers that support it. */
const paperStyles = (title: string) => `
  @page {
    margin: 20mm 18mm 22mm;
    @bottom-left { content: ${toCssString(title)}; font: 9pt system-ui, sans-serif; color: #655f5a }
    @bottom-right { content: counter(page) " / " counter(pages); font: 9pt system-ui, sans-serif; color: #655f5a }
  }`;

/** Creates a constructed style sheet, because the content security policy forbids style elements. */
function createStyleSheet(styles: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  return sheet;
}

/** Removes the previous print's content, unless that has already happened. */
let removeLast = () => {};

/**
 * Opens the browser's print dialog.
 * @param title the name that the dialog suggests for a PDF
 * @param html HTML with all content escaped
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
  // A shadow tree isolates the content from the app's styles.
  const tree = root.attachShadow({ mode: 'open' });
  tree.innerHTML = html;
  tree.adoptedStyleSheets = [createStyleSheet(printStyles)];
  const styles = createStyleSheet(PAGE_STYLES + paperStyles(title));
  const { title: previousTitle } = document;
  document.adoptedStyleSheets.push(styles);
  document.body.append(root);
  document.title = title;
  const remove = () => {
    root.remove();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => sheet !== styles);
    // A navigation during printing may have set another title, which must stay.
    if (document.title === title) document.title = previousTitle;
    removeLast = () => {};
  };
  removeLast = remove;
  await document.fonts.ready;
  // Wait for the event, because `print()` returns before printing in some browsers.
  window.addEventListener('afterprint', remove, { once: true });
  window.print();
}
