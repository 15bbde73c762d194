import { describe, expect, it } from 'vitest';
import { dayMs } from '../calendar.ts';
import { detectLanguages } from '../providers/analysis/builtin/language.ts';
import { findPeriod } from './periods.ts';

/** A Tuesday. */
const today = Date.UTC(2026, 10, 10) / dayMs;
const formatDay = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
const formatPeriod = (question: string) => {
  const period = findPeriod(question, detectLanguages(question), today);
  return period && `${formatDay(period.firstDay)}..${formatDay(period.lastDay)}`;
};

const march = '2026-03-01..2026-03-31';
const lastMarch = '2025-03-01..2025-03-31';
const lastWeek = '2026-11-02..2026-11-08';
const lastMonth = '2026-10-01..2026-10-31';
const yesterday = '2026-11-09..2026-11-09';

describe('the period of a question', () => {
  it.each([
    ['What did Anna promise in March?', march],
    ['What did Anna promise in March last year?', lastMarch],
    ['What was decided in December?', '2025-12-01..2025-12-31'],
    ['What was decided in December 2024?', '2024-12-01..2024-12-31'],
    ['What did we buy in 2025?', '2025-01-01..2025-12-31'],
    ['What did the doctor say last week?', lastWeek],
    ['What did she say yesterday?', yesterday],
    ['¿Qué prometió Ana en marzo?', march],
    ['¿Qué dijo Ana la semana pasada?', lastWeek],
    ['¿Qué dijo Ana en marzo del año pasado?', lastMarch],
    ['Qu’a promis Anne en mars de l’année dernière ?', lastMarch],
    ['Qu’a dit Anne le mois dernier ?', lastMonth],
    ['O que a Ana prometeu em março?', march],
    ['O que a Ana disse ontem?', yesterday],
    ['Что Анна обещала в марте?', march],
    ['Что говорили на прошлой неделе?', lastWeek],
    ['ماذا وعدت آنا في مارس؟', march],
    ['ماذا قالت أمس؟', yesterday],
    ['アンナは3月に何を約束しましたか。', march],
    ['先週、先生は何と言いましたか。', lastWeek],
    ['안나가 3월에 무엇을 약속했나요?', march],
    ['지난달에 뭐라고 했나요?', lastMonth],
    ['แอนนาสัญญาอะไรไว้ในเดือนมีนาคม', march],
    ['สัปดาห์ที่แล้วหมอพูดว่าอะไร', lastWeek],
    ['安娜3月答应了什么？', march],
    ['上个月我们决定了什么？', lastMonth],
    ['十一月我们决定了什么？', '2026-11-01..2026-11-30'],
    ['去年十二月的会议', '2025-12-01..2025-12-31'],
    ['去年12月说了什么？', '2025-12-01..2025-12-31'],
    ['What did Anna plan last summer?', '2026-06-01..2026-08-31'],
    ['What did we plant in the spring of 2025?', '2025-03-01..2025-05-31'],
    ['What was said in winter?', '2025-12-01..2026-02-28'],
    ['¿Qué dijo Ana en primavera?', '2026-03-01..2026-05-31'],
    ['Qu’a dit Anne au printemps dernier ?', '2026-03-01..2026-05-31'],
    ['Où sommes-nous allés cet été ?', '2026-06-01..2026-08-31'],
    ['Что Анна говорила зимой?', '2025-12-01..2026-02-28'],
    ['ماذا قالت آنا في الصيف؟', '2026-06-01..2026-08-31'],
    ['去年の秋、先生は何と言いましたか。', '2025-09-01..2025-11-30'],
    ['지난 여름에 뭐라고 했나요?', '2026-06-01..2026-08-31'],
    ['หน้าฝนปีที่แล้วช่างบอกว่าอะไร', '2025-06-01..2025-10-31'],
    ['去年春天他们说了什么？', '2025-03-01..2025-05-31'],
  ])('%s', (question, period) => {
    expect(formatPeriod(question)).toBe(period);
  });

  it.each([
    'What may we do next?',
    'What did April say?',
    '¿Qué dijo Julio?',
    'Who pays the 2000 euros?',
    'How do soldiers march?',
    'When does the price fall?',
    'Qui a été invité ?',
    'Сколько ему лет?',
    'What did Anna say?',
    'When will the roof be repaired?',
    'Who lives at number 12025?',
    '¿Qué vamos a hacer mañana?',
  ])('isn’t in: %s', (question) => {
    expect(formatPeriod(question)).toBeNull();
  });
});
