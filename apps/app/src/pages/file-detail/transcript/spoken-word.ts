/**
 * Highlights the spoken word using the CSS Custom Highlight API. The API needs no element per word, so even a
 * transcript of several hours has only a few hundred elements. Browsers without the API highlight only the paragraph.
 */
import type { Paragraph } from '@linnet/contract';
import { type RefObject, useEffect } from 'react';
import type { Player } from '../player/use-player.ts';
import { wordAtTime, wordOffsets } from './words.ts';

/** Name used in transcript.css: `::highlight(spoken-word)`. */
const highlightName = 'spoken-word';

/** Returns a paragraph's text nodes with their offsets. */
function textNodes(block: Element): { node: Text; start: number }[] {
  const text = block.querySelector('.paragraph-text');
  if (!text) return [];
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  const textNodeList: { node: Text; start: number }[] = [];
  let start = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    textNodeList.push({ node, start });
    start += node.data.length;
  }
  return textNodeList;
}

/** Returns the text offset at a point on the screen, or null outside the text. */
export function offsetAtPoint(block: Element, x: number, y: number): number | null {
  const caret = document.caretPositionFromPoint?.(x, y);
  if (!caret) return null;
  const caretPosition = textNodes(block).find(({ node }) => node === caret.offsetNode);
  return caretPosition ? caretPosition.start + caret.offset : null;
}

/** Creates a DOM range of `length` characters, starting at offset `from` in a paragraph's text. */
export function createTextRange(block: Element, from: number, length: number): Range | null {
  const nodes = textNodes(block);
  const textNodeAt = (offset: number) =>
    nodes.findLast(({ start, node }) => start <= offset && offset <= start + node.data.length);
  const first = textNodeAt(from);
  const last = textNodeAt(from + length);
  if (!first || !last) return null;
  const range = document.createRange();
  range.setStart(first.node, from - first.start);
  range.setEnd(last.node, from + length - last.start);
  return range;
}

/**
 * Keeps the highlight on the spoken word.
 * @param renderedKeys changes whenever the set of rendered paragraphs changes
 */
export function useSpokenWord(
  container: RefObject<Element | null>,
  paragraph: Paragraph | null,
  player: Player,
  renderedKeys: string,
): void {
  const { position } = player;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a re-rendered paragraph is a new element.
  useEffect(() => {
    if (!paragraph?.words?.length || !('highlights' in CSS)) return;
    const block = container.current?.querySelector(
      `[data-paragraph-id="${CSS.escape(paragraph.id)}"]`,
    );
    if (!block) return;
    const offsets = wordOffsets(paragraph);
    let marked: number | null = null;
    const highlightWord = () => {
      const word = wordAtTime(paragraph, position.get());
      if (word === marked) return;
      marked = word;
      const from = word === null ? -1 : (offsets[word] ?? -1);
      const text = word === null ? undefined : paragraph.words?.[word]?.text;
      const range = from >= 0 && text ? createTextRange(block, from, text.length) : null;
      if (range) CSS.highlights.set(highlightName, new Highlight(range));
      else CSS.highlights.delete(highlightName);
      if (text) block.setAttribute('data-word', text);
    };
    highlightWord();
    const unsubscribe = position.subscribe(highlightWord);
    return () => {
      unsubscribe();
      CSS.highlights.delete(highlightName);
      block.removeAttribute('data-word');
    };
  }, [container, paragraph, position, renderedKeys]);
}
