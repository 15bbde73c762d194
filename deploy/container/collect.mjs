/** Copies the image's files, with the built app, to a folder: `node deploy/container/collect.mjs <folder>`. */
import { root } from '../../tooling/project.mjs';
import { copyImageFiles } from './image-files.mjs';

const [target] = process.argv.slice(2);
if (!target) {
  console.error('Name the folder to copy the files to.');
  process.exit(1);
}
copyImageFiles(root, target);
