import type { Talk } from './scripted-speech-stack.ts';

const day = (date: string, hour: number) => `${date}T${String(hour).padStart(2, '0')}:10:00Z`;

/** A typical library with meetings, a lecture and a call, in several languages. */
export const englishTalks: readonly Talk[] = [
  {
    title: 'Botanic garden: spring opening',
    language: 'en',
    recordedAt: day('2026-03-18', 9),
    pause: 1.2,
    lines: [
      'Good morning everyone, let us talk about the spring opening of the garden.',
      'The opening is on the second of May, and the glass house must be ready by then.',
      'Nora, please send the planting plan to the gardeners tomorrow.',
      'I will call the glazier on Friday about the broken panes.',
      'The new panes cost 1,200 euros, and the scaffolding another 450 euros.',
      'How many volunteers do we have for the weekend?',
      'We need more benches in the shade near the pond.',
      'Orchids grow best when the air is moist and the roots can breathe.',
      'Last year we had three thousand visitors in the first week.',
      'Can the school bring two classes on the Tuesday after?',
      'We have to order the seeds for the herb garden before the end of March.',
      'The budget for the herb garden is 800 euros this year.',
      'The most important thing is that the paths are safe for wheelchairs.',
      'Thank you all, we meet again next Wednesday at ten.',
    ],
  },
  {
    title: 'Lecture: how birds find their way',
    language: 'en',
    recordedAt: day('2026-03-12', 14),
    pause: 1.2,
    lines: [
      'Today we ask how a small bird finds its way across a whole continent.',
      'A linnet weighs about twenty grams and flies at night.',
      'Birds use the stars, the sun and the field of the earth together.',
      'The first map of the night sky is learned in the nest.',
      'What happens when the sky is covered for a week?',
      'Then the magnetic sense takes over, and the error grows slowly.',
      'Please read the second chapter until Thursday.',
    ],
  },
  {
    title: 'Call with the printer',
    language: 'en',
    recordedAt: day('2026-02-27', 11),
    lines: [
      'The leaflets are ready on Monday.',
      'The invoice over 310 dollars comes with the delivery.',
      'Could you bring the boxes to the back door?',
      'Please confirm the address by tomorrow noon.',
    ],
  },
  {
    title: '植物园会议',
    language: 'zh-Hans',
    recordedAt: day('2026-02-20', 8),
    lines: [
      '我们明天上午十点开会。',
      '请把种植计划发给园丁。',
      '新的玻璃要一千二百元。',
      '谁有钥匙？',
    ],
  },
  {
    title: 'ประชุมสวน',
    language: 'th',
    recordedAt: day('2026-02-14', 8),
    lines: ['พรุ่งนี้เราประชุมตอนเช้า', 'กรุณาส่งแผนให้คนสวน'],
  },
];

export const arabicTalks: readonly Talk[] = [
  {
    title: 'اجتماع افتتاح الحديقة',
    language: 'ar',
    recordedAt: day('2026-03-18', 9),
    pause: 1.2,
    lines: [
      'صباح الخير، نتحدث اليوم عن افتتاح الحديقة في الربيع.',
      'الافتتاح في الثاني من مايو ويجب أن يكون البيت الزجاجي جاهزا.',
      'يا نورة، أرسلي خطة الزراعة إلى البستانيين غدا.',
      'سأتصل بالزجاج يوم الجمعة بخصوص الألواح المكسورة.',
      'ثمن الألواح الجديدة 1200 يورو والسقالة 450 يورو.',
      'كم متطوعا لدينا في نهاية الأسبوع؟',
      'نحتاج إلى مقاعد أكثر في الظل قرب البركة.',
      'تنمو الأوركيد جيدا حين يكون الهواء رطبا.',
      'هل تستطيع المدرسة إحضار فصلين يوم الثلاثاء؟',
      'أهم شيء أن تكون الممرات آمنة للكراسي المتحركة.',
      'شكرا لكم، نلتقي الأربعاء القادم في العاشرة.',
    ],
  },
  {
    title: 'محاضرة: كيف تهتدي الطيور',
    language: 'ar',
    recordedAt: day('2026-03-12', 14),
    lines: [
      'كيف يجد طائر صغير طريقه عبر القارة؟',
      'تستخدم الطيور النجوم والشمس معا.',
      'اقرؤوا الفصل الثاني حتى الخميس.',
    ],
  },
  ...englishTalks.slice(2, 4),
];
