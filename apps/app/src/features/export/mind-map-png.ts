/** Twice as many pixels as it measures: sharp on the screens that people show it on. */
const density = 2;
/** Pixels in all that every browser draws on a canvas (Safari on a phone allows the fewest), and on one side. */
const mostPixels = 16_777_216;
const mostOnOneSide = 16_384;

/** How much larger than it measures a picture of this size may be drawn. */
export function pngScale(width: number, height: number): number {
  const bySide = mostOnOneSide / Math.max(width, height);
  return Math.min(density, bySide, Math.sqrt(mostPixels / (width * height)));
}

/** Draws an SVG picture, of a size in pixels, as PNG. Rejects when the browser cannot. */
export async function pngOfSvg(svg: string, width: number, height: number): Promise<Blob> {
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
    if (!context) throw new Error('this browser draws no pictures');
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => {
        if (blob) resolve(blob);
        else reject(new Error('the picture is too large to be drawn'));
      }, 'image/png');
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
