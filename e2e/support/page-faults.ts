/** Finds text and layout faults on a page, in any language, with a script that runs in the page. */
import { interfaceLanguages, pseudoLanguage } from '@linnet/app/languages';
import en from '@linnet/app/words/en';
import type { Page } from '@playwright/test';
import { untranslatedWords } from '../../tooling/words/untranslated-words.ts';

/** English words from `Intl`, which doesn't support the pseudo-locale and falls back to English. */
const englishIntlWords: readonly string[] = [
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

/** Returns a locale's messages with their dot-separated keys. */
function flattenLocale(tree: object, path = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value]] : flattenLocale(value, `${path}${key}.`),
  );
}
const englishTexts = flattenLocale(en);
const localeRoots = Object.keys(en);
const englishSentences = englishTexts
  .map(([, text]) => text)
  .filter((text) => !text.includes('{{') && text.split(' ').length > 2);

/**
 * Returns the faults in all text on a page: raw locale keys, text that is cut off or extends beyond its box or the
 * screen, and English text on a page in a different language.
 * @param language the page's language
 * @param content user content that may appear on the page, such as a transcript
 */
export function findPageFaults(page: Page, language: string, content: string): Promise<string[]> {
  const hasLatinScript = ['en', 'es', 'pt', 'fr'].includes(language);
  const userWords = content.match(/[A-Za-z][A-Za-z]+/g) ?? [];
  const fallbackWords = language === pseudoLanguage ? englishIntlWords : [];
  const parameters = {
    words: [...untranslatedWords, ...userWords, ...fallbackWords],
    roots: localeRoots,
    sentences: englishSentences,
    isEnglish: language === 'en',
    hasLatinScript,
  };
  return page.evaluate((options) => {
    const { isEnglish } = options;
    const faults = new Set<string>();
    const width = document.documentElement.clientWidth;
    const localeKey = new RegExp(`\\b(${options.roots.join('|')})(\\.\\w+)+\\b`);
    const allowedWords = new Set(options.words);
    const sentences = new Set(options.sentences);
    const describe = (element: Element, text: string) => {
      const name =
        element.className && typeof element.className === 'string' ? `.${element.className}` : '';
      return `<${element.localName}${name}> “${text.trim().slice(0, 60)}”`;
    };
    if (document.documentElement.scrollWidth > width)
      faults.add('the page is wider than the screen');

    /** Returns whether an element contains user content or a name in its own language. */
    const isForeign = (element: Element) =>
      element.closest('bdi, code, kbd, [dir="auto"], [translate="no"], [lang]:not(html)') !== null;
    const checkText = (element: Element, text: string) => {
      if (isForeign(element)) return;
      if (localeKey.test(text)) faults.add(`key: ${describe(element, text)}`);
      if (isEnglish) return;
      if (sentences.has(text.trim())) faults.add(`English: ${describe(element, text)}`);
      if (options.hasLatinScript) return;
      // Ignore words with accented letters, because everything in the pseudo-locale has accents.
      const latinWords = text.match(/(?<!\p{L})[A-Za-z]{2,}(?!\p{L})/gu) ?? [];
      const unknownWords = latinWords.filter((word) => !allowedWords.has(word));
      if (unknownWords.length > 0)
        faults.add(`Latin (${unknownWords.join(' ')}): ${describe(element, text)}`);
    };

    /** A box that text must not extend beyond: a clipping element, a visible box, or the screen. */
    type TextBoundary = {
      readonly name: string;
      readonly box: DOMRect;
      readonly x: boolean;
      readonly y: boolean;
    };
    const measure = (text: Text, element: Element, boundaries: readonly TextBoundary[]) => {
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const rect of range.getClientRects()) {
        if (rect.width === 0) continue;
        for (const { name, box, x, y } of boundaries) {
          const beyondX = x && (rect.left < box.left - 1 || rect.right > box.right + 1);
          // Line boxes are taller than the letters in them.
          const tolerance = rect.height / 4 + 1;
          const beyondY =
            y && (rect.top < box.top - tolerance || rect.bottom > box.bottom + tolerance);
          if (beyondX || beyondY) faults.add(`beyond ${name}: ${describe(element, text.data)}`);
        }
      }
    };
    const isClipping = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
    const isScrolling = (overflow: string) => overflow === 'auto' || overflow === 'scroll';
    const visit = (element: Element, outerBoundaries: readonly TextBoundary[]) => {
      if (element.localName === 'noscript') return;
      const style = getComputedStyle(element);
      if (style.display === 'none' || style.visibility === 'hidden') return;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
        const text = element.getAttribute(name);
        if (text) checkText(element, text);
      }
      if (element instanceof SVGElement) {
        // Adjacent text nodes in a drawing are unrelated, so check each one separately.
        const textNodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        while (textNodes.nextNode()) checkText(element, (textNodes.currentNode as Text).data);
        return;
      }
      const box = element.getBoundingClientRect();
      // Text that is only for screen readers isn't drawn and has no layout.
      const isVisuallyHidden = (box.width <= 1 && box.height <= 1) || style.clipPath !== 'none';
      let boundaries = outerBoundaries;
      if (style.display !== 'inline' && style.display !== 'contents') {
        // Text may overflow along the axis that its container scrolls, but not along the other axis.
        if (isScrolling(style.overflowX)) boundaries = boundaries.filter(({ x }) => !x);
        if (isScrolling(style.overflowY))
          boundaries = boundaries.map((boundary) => ({ ...boundary, y: false }));
        const isDrawn =
          style.backgroundColor !== 'rgba(0, 0, 0, 0)' || Number.parseFloat(style.borderWidth) > 0;
        const x = (isClipping(style.overflowX) || isDrawn) && !isScrolling(style.overflowX);
        const y = isClipping(style.overflowY);
        if (x || y) boundaries = [...boundaries, { name: describe(element, ''), box, x, y }];
      }
      for (const child of element.childNodes) {
        if (child instanceof Element) visit(child, isVisuallyHidden ? [] : boundaries);
        else if (child instanceof Text && child.data.trim()) {
          checkText(element, child.data);
          if (!isVisuallyHidden && !isForeign(element)) measure(child, element, boundaries);
        }
      }
    };
    const screen = new DOMRect(0, 0, width, document.documentElement.clientHeight);
    visit(document.body, [{ name: 'the screen', box: screen, x: true, y: false }]);
    return [...faults];
  }, parameters);
}
