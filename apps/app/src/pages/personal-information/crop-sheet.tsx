import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { type Crop, initialCrop, MAX_ZOOM, moveCrop, pictureRect, zoomCrop } from './crop.ts';

/** Side length of the saved picture in pixels, large enough to be sharp everywhere. */
const SIDE = 512;
const QUALITY = 0.9;
/** Movement per arrow key press, as a fraction of the frame's side. */
const STEP = 0.04;
/** Zoom factor per press of the plus key. */
const ZOOM_STEP = 1.1;

const arrows: Readonly<Record<string, readonly [dx: number, dy: number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

type Point = { readonly x: number; readonly y: number };

const midpoint = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

/** Crops a picture in a round frame, by mouse, touch or keyboard. The result is the frame's bounding square. */
export function CropSheet({
  picture,
  busy,
  onUse,
  onClose,
}: {
  picture: ImageBitmap;
  busy: boolean;
  onUse(square: Blob): void;
  onClose(): void;
}) {
  const { t } = useTranslation();
  const hint = useId();
  const [crop, setCrop] = useState<Crop>(initialCrop);
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const pointers = useRef(new Map<number, Point>());

  useEffect(() => {
    const context = canvas?.getContext('2d');
    if (!context) return;
    const { x, y, width, height } = pictureRect(picture, crop, SIDE);
    // Fill transparent areas.
    context.fillStyle = 'white';
    context.fillRect(0, 0, SIDE, SIDE);
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, x, y, width, height);
  }, [canvas, picture, crop]);

  // React's wheel listeners are passive, so they couldn't keep the sheet from scrolling.
  useEffect(() => {
    if (!frame) return;
    const zoom = (event: WheelEvent) => {
      event.preventDefault();
      const box = frame.getBoundingClientRect();
      const pointer = toFramePoint(event, box);
      const factor = Math.exp(-event.deltaY / 400);
      setCrop((current) => zoomCrop(picture, current, current.zoom * factor, pointer));
    };
    frame.addEventListener('wheel', zoom, { passive: false });
    return () => frame.removeEventListener('wheel', zoom);
  }, [frame, picture]);

  const move = (event: PointerEvent<HTMLElement>) => {
    const previousPoint = pointers.current.get(event.pointerId);
    if (!previousPoint) return;
    const current = toFramePoint(event, event.currentTarget.getBoundingClientRect());
    const [other] = [...pointers.current].filter(([id]) => id !== event.pointerId);
    pointers.current.set(event.pointerId, current);
    if (!other) {
      setCrop((crop) =>
        moveCrop(picture, crop, current.x - previousPoint.x, current.y - previousPoint.y),
      );
      return;
    }
    const [, otherPointer] = other;
    const from = midpoint(previousPoint, otherPointer);
    const to = midpoint(current, otherPointer);
    const factor =
      distance(current, otherPointer) / Math.max(0.01, distance(previousPoint, otherPointer));
    setCrop((crop) =>
      zoomCrop(
        picture,
        moveCrop(picture, crop, to.x - from.x, to.y - from.y),
        crop.zoom * factor,
        to,
      ),
    );
  };
  const onPointerUp = (event: PointerEvent) => pointers.current.delete(event.pointerId);

  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = arrows[event.key];
    const factor = { '+': ZOOM_STEP, '=': ZOOM_STEP, '-': 1 / ZOOM_STEP }[event.key];
    if (arrow) setCrop((current) => moveCrop(picture, current, ...arrow));
    else if (factor) setCrop((current) => zoomCrop(picture, current, current.zoom * factor));
    else return;
    event.preventDefault();
  };

  return (
    <Sheet title={t('personal.cropTitle')} onClose={onClose}>
      <div className="crop">
        {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex: operated with arrow, plus and minus keys */}
        <div
          ref={setFrame}
          className="crop-frame"
          role="application"
          tabIndex={0}
          aria-label={t('personal.cropFrame')}
          aria-describedby={hint}
          data-testid="crop-frame"
          data-crop={[crop.zoom, crop.x, crop.y].map((value) => value.toFixed(3)).join(' ')}
          onKeyDown={onKeyDown}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            const box = event.currentTarget.getBoundingClientRect();
            pointers.current.set(event.pointerId, toFramePoint(event, box));
          }}
          onPointerMove={move}
          onPointerUp={onPointerUp}
          onPointerCancel={onPointerUp}
        >
          <canvas ref={setCanvas} width={SIDE} height={SIDE} />
        </div>
        {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex: see above */}
        <p id={hint} className="small-print">
          {t('personal.cropHint')}
        </p>
        <label className="crop-zoom">
          <span>{t('personal.zoom')}</span>
          <input
            type="range"
            min={1}
            max={MAX_ZOOM}
            step={0.01}
            value={crop.zoom}
            onChange={(event) => {
              const zoom = event.currentTarget.valueAsNumber;
              setCrop((current) => zoomCrop(picture, current, zoom));
            }}
          />
        </label>
        <Button
          variant="primary"
          wide
          busy={busy}
          data-testid="use-picture"
          onClick={() => canvas?.toBlob((blob) => blob && onUse(blob), 'image/jpeg', QUALITY)}
        >
          {t('personal.usePicture')}
        </Button>
      </div>
    </Sheet>
  );
}

/** Returns a point relative to the frame's center, as fractions of its sides. */
function toFramePoint(
  { clientX, clientY }: { clientX: number; clientY: number },
  box: DOMRect,
): Point {
  return {
    x: (clientX - box.left) / box.width - 0.5,
    y: (clientY - box.top) / box.height - 0.5,
  };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
