import {
  measureElement,
  type Range,
  useVirtualizer,
  type Virtualizer,
} from '@tanstack/react-virtual';
import {
  type MouseEvent,
  memo,
  type ReactNode,
  startTransition,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';

/** Height class of a line. */
type Shape = 'heading' | 'plain' | 'withPreview';

/** A line of the list. */
export type Line = {
  readonly key: string;
  readonly shape: Shape;
};
/** The content of a line's placeholder during fast scrolling. */
export type Sketch = { readonly name: string; readonly meta: string };

/** Local storage key of a line's height in the previous run, by shape, in pixels. */
const heightKey = (shape: Shape) => `line-height.${shape}`;
const storedHeight = (shape: Shape) => Number(localStorage.getItem(heightKey(shape)));

/** Estimated heights in pixels of lines not yet rendered. A correct estimate avoids layout shifts. */
const expected: Record<Shape, number> = {
  heading: storedHeight('heading') || 40,
  plain: storedHeight('plain') || 76,
  withPreview: storedHeight('withPreview') || 106,
};
/** Shapes measured since the app was started. */
const drawn = new Set<Shape>();

/** Uses the first rendered line of a shape as the estimate for the others, now and at the next start. */
function learn(shape: Shape, height: number): void {
  if (drawn.has(shape)) return;
  drawn.add(shape);
  if (expected[shape] === height) return;
  expected[shape] = height;
  // In a task of its own: a failed write to full storage must not break the list.
  setTimeout(() => localStorage.setItem(heightKey(shape), String(height)));
}
/** Minimum number of lines rendered beyond either edge of the viewport. */
const overscan = 6;
/** Lines are rendered in groups, since the cost is mostly per frame rather than per line. */
const together = 4;

function widened(range: Range): Range {
  return {
    ...range,
    startIndex: Math.max(0, Math.floor((range.startIndex - overscan) / together) * together),
    endIndex: Math.ceil((range.endIndex + overscan + 1) / together) * together - 1,
  };
}

const SketchedRow = memo(function SketchedRow({ name, meta }: Sketch) {
  return (
    <div className="row-sketch">
      <div className="row-name" dir="auto">
        {name}
      </div>
      <div className="row-meta">{meta}</div>
    </div>
  );
});

/** Whether the list is scrolling fast: it moved by more than its height at once and has not yet stopped. */
function useFlight() {
  const flight = useRef({ flies: false, at: 0 });
  return (virtual: Virtualizer<HTMLElement, Element>): boolean => {
    const { current } = flight;
    const at = virtual.scrollOffset ?? 0;
    const far =
      Math.abs(at - current.at) > (virtual.scrollRect?.height ?? Number.POSITIVE_INFINITY);
    current.flies = virtual.isScrolling && (current.flies || far);
    current.at = at;
    return current.flies;
  };
}

/**
 * A virtual list. During fast scrolling it renders placeholders (`sketch`); controls (`rested`) follow once
 * scrolling stops.
 */
export function RowList<L extends Line>({
  lines,
  label,
  scroller,
  start = 0,
  onMove,
  onClick,
  sketch,
  children,
}: {
  lines: readonly L[];
  label: string;
  scroller: HTMLElement;
  /** Initial scroll offset in pixels. */
  start?: number;
  onMove?(offset: number): void;
  onClick?(event: MouseEvent): void;
  /** Null for a line that is always fully rendered. */
  sketch(line: L): Sketch | null;
  children(line: L, rested: boolean): ReactNode;
}) {
  const list = useRef<HTMLUListElement>(null);
  // New functions would make the list measure itself again, so they change only with the lines.
  const measures = useMemo(
    () => ({
      estimateSize: (index: number) => expected[lines[index]?.shape ?? 'plain'],
      getItemKey: (index: number) => lines[index]?.key ?? index,
    }),
    [lines],
  );
  const isFlying = useFlight();
  const flies = useRef(false);
  // The visible lines are rendered first; the surrounding ones follow in a separate step.
  const [surrounded, setSurrounded] = useState(false);
  useEffect(() => startTransition(() => setSurrounded(true)), []);
  const virtual = useVirtualizer({
    ...measures,
    count: lines.length,
    getScrollElement: () => scroller,
    measureElement: (element, resized, instance) => {
      const height = measureElement(element, resized, instance);
      const line = lines[instance.indexFromElement(element)];
      if (line) learn(line.shape, height);
      return height;
    },
    rangeExtractor: (range) => {
      // During fast scrolling, lines beyond the viewport would never be seen.
      const { startIndex, endIndex, count } = flies.current || !surrounded ? range : widened(range);
      return Array.from(
        { length: Math.min(endIndex, count - 1) - startIndex + 1 },
        (_, place) => startIndex + place,
      );
    },
    initialOffset: start,
    // Renders the first rows together with the page, before it is measured.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    onChange: ({ scrollOffset }) => {
      if (scrollOffset !== null) onMove?.(scrollOffset);
    },
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  flies.current = isFlying(virtual);
  const items = virtual.getVirtualItems();
  const rested = useRef<ReadonlySet<unknown>>(new Set());
  if (!virtual.isScrolling) rested.current = new Set(items.map(({ key }) => key));

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keyboards trigger a link's click as well.
    <ul
      ref={list}
      className="record-list"
      aria-label={label}
      style={{ blockSize: virtual.getTotalSize() }}
      onClick={onClick}
    >
      {items.map((item, place) => {
        const line = lines[item.index];
        if (!line) return null;
        const translate = `0 ${item.start - virtual.options.scrollMargin}px`;
        const sketched = flies.current ? sketch(line) : null;
        return sketched ? (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are stateless, so elements are reused.
            key={`sketch ${place}`}
            className="record-list-item"
            style={{ translate, blockSize: item.size }}
          >
            <SketchedRow {...sketched} />
          </li>
        ) : (
          <li
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            className="record-list-item"
            style={{ translate }}
          >
            {children(line, rested.current.has(item.key))}
          </li>
        );
      })}
    </ul>
  );
}
