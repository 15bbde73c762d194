/** Pixel density of typical screens. */
const density = 2;
/** Canvas limits in all browsers: total pixels (lowest in Safari on phones) and pixels per side. */
const maxPixels = 16_777_216;
const maxSide = 16_384;

/** Returns the maximum scale for a picture of this size. */
export function pngScale(width: number, height: number): number {
  const bySide = maxSide / Math.max(width, height);
  return Math.min(density, bySide, Math.sqrt(maxPixels / (width * height)));
}

/** Renders an SVG picture as PNG. Rejects if the browser cannot render it. */
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
