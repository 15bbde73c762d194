import type { Locator } from '@playwright/test';

/** Returns the center of a word within an element's text, in page coordinates. */
export function locateWord(text: Locator, word: string): Promise<{ x: number; y: number }> {
  return text.evaluate((element, searched) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const index = (node.textContent ?? '').indexOf(searched);
      if (index < 0) continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + searched.length);
      const { x, y, width, height } = range.getBoundingClientRect();
      return { x: x + width / 2, y: y + height / 2 };
    }
    throw new Error(`word not found: ${searched}`);
  }, word);
}
