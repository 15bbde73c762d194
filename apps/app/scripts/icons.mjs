/**
 * Renders the PNG icons from the SVG logo, using the Chromium from the end-to-end tests. Run
 * `node apps/app/scripts/icons.mjs` after changing the logo, and commit the PNGs.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { chromium } from '@playwright/test';

const webFolder = new URL('../public/icons/', import.meta.url);
const iosFolder = new URL('../ios/App/App/Assets.xcassets/AppIcon.appiconset/', import.meta.url);
const logo = await readFile(new URL('linnet.svg', webFolder), 'utf8');

/**
 * `scale` is the logo's size relative to the icon. In a maskable icon, the logo must fit into the middle 80%. The iOS
 * icon has square corners because iOS rounds them. Android uses vector icons.
 */
const icons = [
  { name: 'linnet-192', size: 192, scale: 0.74, radius: 0.22 },
  { name: 'linnet-512', size: 512, scale: 0.74, radius: 0.22 },
  { name: 'linnet-maskable-512', size: 512, scale: 0.56, radius: 0 },
  { name: 'AppIcon', size: 1024, scale: 0.66, radius: 0, folder: iosFolder },
];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
});
const page = await browser.newPage({ colorScheme: 'light' });
for (const { name, size, scale, radius, folder = webFolder } of icons) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`
    <style>
      body { margin: 0; background: transparent }
      div { display: grid; place-items: center; width: 100vw; height: 100vh;
            background: #fbf8f4; border-radius: ${radius * size}px }
      svg { width: ${scale * size}px }
      svg .cut { stroke: #fbf8f4 } svg .eye { fill: #fbf8f4 }
    </style>
    <div>${logo}</div>`);
  const png = await page.screenshot({ omitBackground: radius > 0 });
  await writeFile(new URL(`${name}.png`, folder), png);
}
await browser.close();
