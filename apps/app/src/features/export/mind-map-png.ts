/** Pixel density: sharp on typical screens. */
const density = 2;
/** Canvas limits in all browsers: total pixels (lowest in Safari on phones) and pixels per side. */
const mostPixels = 16_777_216;
const mostOnOneSide = 16_384;

/** The largest possible scale for a picture of this size. */
export function pngScale(width: number, height: number): number {
  const bySide = mostOnOneSide / Math.max(width, height);
  return Math.min(density, bySide, Math.sqrt(mostPixels / (width * height)));
}

/** Renders an SVG picture, sized in pixels, as PNG. Rejects if the browser cannot. */
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
    if (!context) throw new Error('this browser has no 2D canvas');
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => {
        if (blob) resolve(blob);
        else reject(new Error('the picture exceeds the canvas size'));
      }, 'image/png');
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
