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

/** Determines a line's height. */
type Shape = 'heading' | 'plain' | 'withPreview';

/** A line of the list: a day's heading or a recording. */
export type Line = {
  readonly key: string;
  readonly shape: Shape;
};
/** The content of a line's placeholder during fast scrolling. */
export type Placeholder = { readonly name: string; readonly meta: string };

/** Returns the local storage key for a shape's line height in pixels, as measured in the previous run. */
const heightKey = (shape: Shape) => `line-height.${shape}`;
const storedHeight = (shape: Shape) => Number(localStorage.getItem(heightKey(shape)));

/** Estimated heights in pixels of lines that haven't been rendered yet. Accurate estimates avoid layout shifts. */
const estimatedHeights: Record<Shape, number> = {
  heading: storedHeight('heading') || 40,
  plain: storedHeight('plain') || 76,
  withPreview: storedHeight('withPreview') || 106,
};
/** Shapes measured since the app was started. */
const measuredShapes = new Set<Shape>();

/**
 * Uses the height of a shape's first rendered line as the estimate for all its other lines, now and in the next run.
 */
function updateEstimate(shape: Shape, height: number): void {
  if (measuredShapes.has(shape)) return;
  measuredShapes.add(shape);
  if (estimatedHeights[shape] === height) return;
  estimatedHeights[shape] = height;
  // Write in a separate task: if storage is full, the error must not break the list.
  setTimeout(() => localStorage.setItem(heightKey(shape), String(height)));
}
/** Minimum number of lines rendered beyond either edge of the viewport. */
const overscan = 6;
/** The rendered range changes by this many lines at a time, because rendering costs more per frame than per line. */
const groupSize = 4;

function expandRange(range: Range): Range {
  return {
    ...range,
    startIndex: Math.max(0, Math.floor((range.startIndex - overscan) / groupSize) * groupSize),
    endIndex: Math.ceil((range.endIndex + overscan + 1) / groupSize) * groupSize - 1,
  };
}

const PlaceholderRow = memo(function PlaceholderRow({ name, meta }: Placeholder) {
  return (
    <div className="row-sketch">
      <div className="row-name" dir="auto">
        {name}
      </div>
      <div className="row-meta">{meta}</div>
    </div>
  );
});

/**
 * Detects fast scrolling. It starts when a single update scrolls by more than the viewport's height, and lasts until
 * scrolling stops.
 */
function useFastScroll() {
  const scroll = useRef({ isFast: false, at: 0 });
  return (virtual: Virtualizer<HTMLElement, Element>): boolean => {
    const { current } = scroll;
    const scrollOffset = virtual.scrollOffset ?? 0;
    const isFar =
      Math.abs(scrollOffset - current.at) >
      (virtual.scrollRect?.height ?? Number.POSITIVE_INFINITY);
    current.isFast = virtual.isScrolling && (current.isFast || isFar);
    current.at = scrollOffset;
    return current.isFast;
  };
}

/**
 * A virtual list. It renders placeholders during fast scrolling, and the lines' controls (`settled`) once scrolling
 * stops.
 */
export function RowList<L extends Line>({
  lines,
  label,
  scroller,
  start = 0,
  onMove,
  onClick,
  placeholder,
  children,
}: {
  lines: readonly L[];
  label: string;
  scroller: HTMLElement;
  /** Initial scroll offset in pixels. */
  start?: number;
  onMove?(offset: number): void;
  onClick?(event: MouseEvent): void;
  /** Returns a line's placeholder, or null for a line that is always fully rendered. */
  placeholder(line: L): Placeholder | null;
  children(line: L, settled: boolean): ReactNode;
}) {
  const list = useRef<HTMLUListElement>(null);
  // Memoized, because new functions would make the list measure itself again.
  const measures = useMemo(
    () => ({
      estimateSize: (index: number) => estimatedHeights[lines[index]?.shape ?? 'plain'],
      getItemKey: (index: number) => lines[index]?.key ?? index,
    }),
    [lines],
  );
  const detectFastScroll = useFastScroll();
  const isFast = useRef(false);
  // The first render covers only the visible lines. The overscan follows in a transition.
  const [hasOverscan, setHasOverscan] = useState(false);
  useEffect(() => startTransition(() => setHasOverscan(true)), []);
  const virtual = useVirtualizer({
    ...measures,
    count: lines.length,
    getScrollElement: () => scroller,
    measureElement: (element, resized, instance) => {
      const height = measureElement(element, resized, instance);
      const line = lines[instance.indexFromElement(element)];
      if (line) updateEstimate(line.shape, height);
      return height;
    },
    rangeExtractor: (range) => {
      // During fast scrolling, lines beyond the viewport would never be seen.
      const { startIndex, endIndex, count } =
        isFast.current || !hasOverscan ? range : expandRange(range);
      return Array.from(
        { length: Math.min(endIndex, count - 1) - startIndex + 1 },
        (_, place) => startIndex + place,
      );
    },
    initialOffset: start,
    // Render the first rows together with the page, before the viewport is measured.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
    onChange: ({ scrollOffset }) => {
      if (scrollOffset !== null) onMove?.(scrollOffset);
    },
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  isFast.current = detectFastScroll(virtual);
  const items = virtual.getVirtualItems();
  const settled = useRef<ReadonlySet<unknown>>(new Set());
  if (!virtual.isScrolling) settled.current = new Set(items.map(({ key }) => key));

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard also triggers a link's click.
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
        const content = isFast.current ? placeholder(line) : null;
        return content ? (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are stateless, so elements are reused.
            key={`sketch ${place}`}
            className="record-list-item"
            style={{ translate, blockSize: item.size }}
          >
            <PlaceholderRow {...content} />
          </li>
        ) : (
          <li
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            className="record-list-item"
            style={{ translate }}
          >
            {children(line, settled.current.has(item.key))}
          </li>
        );
      })}
    </ul>
  );
}
