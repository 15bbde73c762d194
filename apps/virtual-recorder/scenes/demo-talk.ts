import { createParagraph, type SceneScript } from './scripts.ts';

/** The talk in the demo recording bundled with the app. It is long enough for several topics. */
export const demoTalk: SceneScript = {
  name: 'demo',
  title: 'Reading festival, first meeting',
  mode: 'normal',
  scene: 'meeting',
  paragraphs: [
    createParagraph(
      'slt',
      'Good morning, today we are planning the reading festival at the library.',
      'The festival is on the twelfth of June, in the garden behind the library.',
      'The garden has room for two hundred people.',
    ),
    createParagraph(
      'rms',
      'If it rains, we need a tent for the garden.',
      'The big tent costs four hundred dollars, and the small tent two hundred.',
      'I will call the tent company on Friday.',
    ),
    createParagraph(
      'slt',
      'Then the readers.',
      'Three readers have said yes, and one reader comes from Spain.',
      'Where will the readers sleep?',
    ),
    createParagraph(
      'rms',
      'My sister has a guest room for one of the readers.',
      'Please write to the other readers until Wednesday.',
    ),
    createParagraph(
      'slt',
      'Now the posters.',
      'The most important thing is that the posters are easy to read from far away.',
      'The printer needs the text of the posters next Monday.',
      'Printing the posters costs ninety dollars.',
    ),
    createParagraph(
      'rms',
      'I think the school can put the posters in every class.',
      'We decided to print fifty posters.',
      'The next meeting is on Thursday at six.',
    ),
  ],
};
