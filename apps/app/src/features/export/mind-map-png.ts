/** Preferred scale of a picture, for the pixel density of typical screens. */
const PREFERRED_SCALE = 2;
/** Maximum number of canvas pixels that every browser supports. Safari on phones has the lowest limit. */
const MAX_PIXELS = 16_777_216;
/** Maximum number of canvas pixels per side that every browser supports. */
const MAX_SIDE_PX = 16_384;

/** Returns the scale at which to render a picture of this size within every browser's limits. */
export function pngScale(width: number, height: number): number {
  const maxScaleBySide = MAX_SIDE_PX / Math.max(width, height);
  const maxScaleByArea = Math.sqrt(MAX_PIXELS / (width * height));
  return Math.min(PREFERRED_SCALE, maxScaleBySide, maxScaleByArea);
}

/** Converts an SVG picture to PNG. Rejects if the browser can't render it. */
export async function svgToPng(svg: string, width: number, height: number): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = pngScale(width, height);
    const canvas = document.createElement('canvas');
    canvas.width = Math.floor(width * scale);
    canvas.height = Math.floor(height * scale);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('2D canvas is not supported.');
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => {
        if (blob) resolve(blob);
        else reject(new Error('The image exceeds the canvas size.'));
      }, 'image/png');
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
