/** Finds faults in the text of a page, in any language, by measuring in the page itself. */
import { interfaceLanguages, pseudoLanguage } from '@linnet/app/languages';
import en from '@linnet/app/words/en';
import type { Page } from '@playwright/test';

/**
 * Latin words that stay as they are in every language: names of products, formats, units and standards.
 * In a language of another script, any other Latin word is untranslated English.
 */
const allowed: readonly string[] = `
  Linnet AI VIP ID PIN SN QR LED USB UTC CRC MTU OTA HTTP HTTPS Bluetooth WiFi Wi Fi BLE GPS
  Android iPhone iPad iOS macOS Mac Windows Linux Chrome Chromium Edge Safari Firefox
  XMind xmind Word Stripe OpenAI openai PocketSphinx sherpa onnx
  TXT Markdown DOCX PDF SRT VTT WebVTT JSON WAV Ogg Opus MP PNG SVG kB KB MB GB TB dBm dB
  Cookie cookie Ctrl Shift Alt Esc Enter Tab Insert Delete
  MIT PROTOCOL md linnet example org US
`
  .trim()
  .split(/\s+/);

/** English words from Intl, which does not know the pseudo-locale and falls back to English. */
const intl: readonly string[] = [
  ...Array.from({ length: 12 }, (_, month) => new Date(2026, month, 1)).flatMap((day) =>
    (['long', 'short'] as const).map((month) => day.toLocaleDateString('en', { month })),
  ),
  ...interfaceLanguages.flatMap(({ language }) =>
    (new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? '').split(/\W+/),
  ),
  ...Array.from({ length: 7 }, (_, day) => new Date(2026, 1, 1 + day)).flatMap((day) =>
    (['long', 'short'] as const).map((weekday) => day.toLocaleDateString('en', { weekday })),
  ),
  ...pseudoLanguage.split('-'),
  ...['AM', 'PM', 'and', 'or', 'at', 'yesterday', 'today', 'tomorrow', 'ago', 'in'],
  ...[
    'second',
    'seconds',
    'sec',
    'secs',
    'minute',
    'minutes',
    'min',
    'mins',
    'hour',
    'hours',
    'hr',
    'hrs',
    'day',
    'days',
  ],
  ...['byte', 'bytes'],
];

type Fault = string;

/** Keys and English sentences of the locale: neither may appear in another language. */
function flat(tree: object, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value]] : flat(value, `${path}${key}.`),
  );
}
const words = flat(en);
const roots = Object.keys(en);
const sentences = words
  .map(([, text]) => text)
  .filter((text) => !text.includes('{{') && text.split(' ').length > 2);

/**
 * Checks all text on a page: no raw locale keys, nothing cut off, nothing outside its box or the screen, and no
 * English in another language.
 * @param language of the page
 * @param content the owner's own words, spoken or typed, which may appear on it
 */
export function faultsOf(page: Page, language: string, content: string): Promise<Fault[]> {
  const latin = ['en', 'es', 'pt', 'fr'].includes(language);
  const own = content.match(/[A-Za-z][A-Za-z]+/g) ?? [];
  const said = language === pseudoLanguage ? intl : [];
  const known = {
    allowed: [...allowed, ...own, ...said],
    roots,
    sentences,
    english: language === 'en',
    latin,
  };
  return page.evaluate(({ allowed: fine, roots: tops, sentences: left, english, latin: same }) => {
    const found = new Set<string>();
    const width = document.documentElement.clientWidth;
    const key = new RegExp(`\\b(${tops.join('|')})(\\.\\w+)+\\b`);
    const isFine = new Set(fine);
    const isLeft = new Set(left);
    const about = (element: Element, text: string) => {
      const name =
        element.className && typeof element.className === 'string' ? `.${element.className}` : '';
      return `<${element.localName}${name}> “${text.trim().slice(0, 60)}”`;
    };
    if (document.documentElement.scrollWidth > width)
      found.add('the page is wider than the screen');

    /** User content, or a name in its own language. */
    const isForeign = (element: Element) =>
      element.closest('bdi, code, kbd, [dir="auto"], [translate="no"], [lang]:not(html)') !== null;
    const speak = (element: Element, text: string) => {
      if (isForeign(element)) return;
      if (key.test(text)) found.add(`key: ${about(element, text)}`);
      if (english) return;
      if (isLeft.has(text.trim())) found.add(`English: ${about(element, text)}`);
      if (same) return;
      // Words with accented letters do not count: the pseudo-locale has only such.
      const strangers = text.match(/(?<!\p{L})[A-Za-z]{2,}(?!\p{L})/gu) ?? [];
      const strange = strangers.filter((word) => !isFine.has(word));
      if (strange.length > 0) found.add(`Latin (${strange.join(' ')}): ${about(element, text)}`);
    };

    /** Boxes that text must stay within: clipping elements, visible boxes, and the screen. */
    type Place = {
      readonly name: string;
      readonly box: DOMRect;
      readonly x: boolean;
      readonly y: boolean;
    };
    const measure = (text: Text, element: Element, places: readonly Place[]) => {
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const rect of range.getClientRects()) {
        if (rect.width === 0) continue;
        for (const { name, box, x, y } of places) {
          const beyondX = x && (rect.left < box.left - 1 || rect.right > box.right + 1);
          // Line boxes are higher than their letters.
          const slack = rect.height / 4 + 1;
          const beyondY = y && (rect.top < box.top - slack || rect.bottom > box.bottom + slack);
          if (beyondX || beyondY) found.add(`beyond ${name}: ${about(element, text.data)}`);
        }
      }
    };
    const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
    const scrolls = (overflow: string) => overflow === 'auto' || overflow === 'scroll';
    const visit = (element: Element, outer: readonly Place[]) => {
      if (element.localName === 'noscript') return;
      const style = getComputedStyle(element);
      if (style.display === 'none' || style.visibility === 'hidden') return;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
        const text = element.getAttribute(name);
        if (text) speak(element, text);
      }
      if (element instanceof SVGElement) {
        // Each text separately: neighbours are unrelated.
        const inside = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        while (inside.nextNode()) speak(element, (inside.currentNode as Text).data);
        return;
      }
      const box = element.getBoundingClientRect();
      // For screen readers only, not drawn.
      const unseen = (box.width <= 1 && box.height <= 1) || style.clipPath !== 'none';
      let places = outer;
      if (style.display !== 'inline' && style.display !== 'contents') {
        // A scroller reveals its text by scrolling; across the other axis it still has to fit.
        if (scrolls(style.overflowX)) places = places.filter(({ x }) => !x);
        if (scrolls(style.overflowY)) places = places.map((place) => ({ ...place, y: false }));
        const drawn =
          style.backgroundColor !== 'rgba(0, 0, 0, 0)' || Number.parseFloat(style.borderWidth) > 0;
        const x = (hides(style.overflowX) || drawn) && !scrolls(style.overflowX);
        const y = hides(style.overflowY);
        if (x || y) places = [...places, { name: about(element, ''), box, x, y }];
      }
      for (const child of element.childNodes) {
        if (child instanceof Element) visit(child, unseen ? [] : places);
        else if (child instanceof Text && child.data.trim()) {
          speak(element, child.data);
          if (!unseen && !isForeign(element)) measure(child, element, places);
        }
      }
    };
    const screen = new DOMRect(0, 0, width, document.documentElement.clientHeight);
    visit(document.body, [{ name: 'the screen', box: screen, x: true, y: false }]);
    return [...found];
  }, known);
}
