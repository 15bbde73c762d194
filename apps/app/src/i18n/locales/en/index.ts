/** English, the reference for every other language's keys and arguments. */

import agreements from './agreements.ts';
import ask from './ask.ts';
import document from './document.ts';
import doorstep from './doorstep.ts';
import entry from './entry.ts';
import help from './help.ts';
import library from './library.ts';
import me from './me.ts';
import membership from './membership.ts';
import personal from './personal.ts';
import places from './places.ts';
import recorder from './recorder.ts';
import recording from './recording.ts';
import storage from './storage.ts';
import transfer from './transfer.ts';

export default {
  ...entry,
  ...library,
  ...recording,
  ...recorder,
  ...transfer,
  ...storage,
  ...me,
  ...personal,
  ...doorstep,
  ...help,
  ...agreements,
  ...membership,
  ...ask,
  ...places,
  ...document,
};
