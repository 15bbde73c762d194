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

/** How a line looks, as far as its height is concerned. */
type Shape = 'heading' | 'plain' | 'withPreview';

/** One line of a list: what it is, and what of it is drawn while it flies past. */
export type Line = {
  readonly key: string;
  readonly shape: Shape;
};
/** What is read of a line that flies past. */
export type Sketch = { readonly name: string; readonly meta: string };

/** Local storage: how high the first line of a shape was at the last start, in pixels. */
const heightKey = (shape: Shape) => `line-height.${shape}`;
const kept = (shape: Shape) => Number(localStorage.getItem(heightKey(shape)));

/** Heights in pixels that lines are taken for until they are drawn: what is right moves none that follow. */
const expected: Record<Shape, number> = {
  heading: kept('heading') || 40,
  plain: kept('plain') || 76,
  withPreview: kept('withPreview') || 106,
};
/** Shapes of which one was drawn since the app was started. */
const drawn = new Set<Shape>();

/** Takes the first line of a shape that is drawn for what others of it will be, now and at the next start. */
function learn(shape: Shape, height: number): void {
  if (drawn.has(shape)) return;
  drawn.add(shape);
  if (expected[shape] === height) return;
  expected[shape] = height;
  // By itself: a phone too full to keep it must not lose its list.
  setTimeout(() => localStorage.setItem(heightKey(shape), String(height)));
}
/** Lines drawn before and after those in sight, at least. */
const overscan = 6;
/** Lines that come and go together: a frame that draws any costs more than the lines do. */
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

/** Whether a list flies: it moved by more than it shows at once, and has not come to rest since. */
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
 * A list of which only what is in sight is drawn. Lines that fly past are drawn as sketches, and the others
 * get what is needed to work with them (`rested`) once the list comes to rest.
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
  /** Where it begins, in pixels. */
  start?: number;
  onMove?(offset: number): void;
  onClick?(event: MouseEvent): void;
  /** Null for a line that is always drawn whole. */
  sketch(line: L): Sketch | null;
  children(line: L, rested: boolean): ReactNode;
}) {
  const list = useRef<HTMLUListElement>(null);
  // Others of these make the list measure itself anew, all of it: they change with the lines only.
  const measures = useMemo(
    () => ({
      estimateSize: (index: number) => expected[lines[index]?.shape ?? 'plain'],
      getItemKey: (index: number) => lines[index]?.key ?? index,
    }),
    [lines],
  );
  const isFlying = useFlight();
  const flies = useRef(false);
  // What is in sight is drawn first, and what surrounds it in a step of its own.
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
      // What flies past is gone before anything beside it is seen.
      const { startIndex, endIndex, count } = flies.current || !surrounded ? range : widened(range);
      return Array.from(
        { length: Math.min(endIndex, count - 1) - startIndex + 1 },
        (_, place) => startIndex + place,
      );
    },
    initialOffset: start,
    // The first rows are drawn with the page, and not once the page was measured.
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link's click comes from the keyboard, too.
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
            // biome-ignore lint/suspicious/noArrayIndexKey: a sketch has no state: its element serves the next one.
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
