/** Computes how a picture is cropped behind a square frame. The unit of length is the frame's side. */

export type Size = { readonly width: number; readonly height: number };

/**
 * A picture's crop. A `zoom` of 1 just fills the frame. `x` and `y` are the picture's center relative to the frame's.
 */
export type Crop = { readonly zoom: number; readonly x: number; readonly y: number };

/** Maximum zoom. Beyond it, a typical camera picture becomes blurry. */
export const MAX_ZOOM = 5;

export const initialCrop: Crop = { zoom: 1, x: 0, y: 0 };

/** Returns the picture's displayed size in frames. */
function displayedSize(picture: Size, zoom: number): Size {
  const shorter = Math.min(picture.width, picture.height);
  return { width: (picture.width / shorter) * zoom, height: (picture.height / shorter) * zoom };
}

/** Constrains the position so that the picture fully covers the frame. */
function constrain(picture: Size, { zoom, x, y }: Crop): Crop {
  const { width, height } = displayedSize(picture, zoom);
  const maxOffset = (side: number) => (side - 1) / 2;
  const clampOffset = (value: number, side: number) =>
    Math.min(maxOffset(side), Math.max(-maxOffset(side), value));
  return { zoom, x: clampOffset(x, width), y: clampOffset(y, height) };
}

export function moveCrop(picture: Size, crop: Crop, dx: number, dy: number): Crop {
  return constrain(picture, { ...crop, x: crop.x + dx, y: crop.y + dy });
}

/** Zooms around a point in the frame, given relative to the center. */
export function zoomCrop(picture: Size, crop: Crop, zoom: number, at = { x: 0, y: 0 }): Crop {
  const boundedZoom = Math.min(MAX_ZOOM, Math.max(1, zoom));
  const ratio = boundedZoom / crop.zoom;
  return constrain(picture, {
    zoom: boundedZoom,
    x: at.x + (crop.x - at.x) * ratio,
    y: at.y + (crop.y - at.y) * ratio,
  });
}

/** Returns the picture's rectangle on a canvas of `side` pixels, which represents the frame. */
export function pictureRect(picture: Size, crop: Crop, side: number) {
  const { width, height } = displayedSize(picture, crop.zoom);
  return {
    x: (0.5 + crop.x - width / 2) * side,
    y: (0.5 + crop.y - height / 2) * side,
    width: width * side,
    height: height * side,
  };
}
