import type { Bcp47 } from '@linnet/contract/languages';
import { toBcp47 } from '@linnet/contract/languages';
import { structureHeadings } from '@linnet/contract/structures';

type Heading = (typeof structureHeadings)[keyof typeof structureHeadings][number];

/** Section names for mind maps (stored in the summary's language) and share pages. */
const words: { readonly [Language in Bcp47]: { readonly [Key in Heading]: string } } = {
  en: {
    overview: 'Overview',
    topics: 'Topics',
    decisions: 'Decisions',
    todos: 'To-dos',
    questions: 'Questions',
    reason: 'Purpose',
    agreements: 'Agreements',
    amounts: 'Amounts',
    knowledge: 'Key points',
    statements: 'Answers',
  },
  'zh-Hans': {
    overview: '概要',
    topics: '话题',
    decisions: '决定',
    todos: '待办',
    questions: '问题',
    reason: '目的',
    agreements: '约定',
    amounts: '金额',
    knowledge: '要点',
    statements: '回答',
  },
  ar: {
    overview: 'نظرة عامة',
    topics: 'المواضيع',
    decisions: 'القرارات',
    todos: 'المهام',
    questions: 'الأسئلة',
    reason: 'الغرض',
    agreements: 'ما اتُّفق عليه',
    amounts: 'المبالغ',
    knowledge: 'النقاط المهمة',
    statements: 'الإجابات',
  },
  ja: {
    overview: '概要',
    topics: 'トピック',
    decisions: '決定事項',
    todos: 'ToDo',
    questions: '質問',
    reason: '用件',
    agreements: '合意事項',
    amounts: '金額',
    knowledge: '要点',
    statements: '回答',
  },
  ko: {
    overview: '주요 내용',
    topics: '주제',
    decisions: '결정 사항',
    todos: '할 일',
    questions: '질문',
    reason: '용건',
    agreements: '합의 사항',
    amounts: '금액',
    knowledge: '핵심 정보',
    statements: '답변',
  },
  th: {
    overview: 'ภาพรวม',
    topics: 'หัวข้อ',
    decisions: 'ข้อสรุปที่ตกลงกัน',
    todos: 'สิ่งที่ต้องทำ',
    questions: 'คำถาม',
    reason: 'วัตถุประสงค์',
    agreements: 'สิ่งที่ตกลงกัน',
    amounts: 'จำนวนเงิน',
    knowledge: 'ประเด็นสำคัญ',
    statements: 'คำตอบ',
  },
  ru: {
    overview: 'Обзор',
    topics: 'Темы',
    decisions: 'Решения',
    todos: 'Задачи',
    questions: 'Вопросы',
    reason: 'Цель',
    agreements: 'Договорённости',
    amounts: 'Суммы',
    knowledge: 'Тезисы',
    statements: 'Ответы',
  },
  es: {
    overview: 'Visión general',
    topics: 'Temas',
    decisions: 'Decisiones',
    todos: 'Tareas',
    questions: 'Preguntas',
    reason: 'Motivo',
    agreements: 'Acuerdos',
    amounts: 'Importes',
    knowledge: 'Puntos clave',
    statements: 'Respuestas',
  },
  pt: {
    overview: 'Visão geral',
    topics: 'Temas',
    decisions: 'Decisões',
    todos: 'Tarefas',
    questions: 'Perguntas',
    reason: 'Objetivo',
    agreements: 'Acordos',
    amounts: 'Valores',
    knowledge: 'Pontos-chave',
    statements: 'Respostas',
  },
  fr: {
    overview: 'Vue d’ensemble',
    topics: 'Sujets',
    decisions: 'Décisions',
    todos: 'Tâches',
    questions: 'Questions',
    reason: 'Objet',
    agreements: 'Accords',
    amounts: 'Montants',
    knowledge: 'Points clés',
    statements: 'Réponses',
  },
};

const known: ReadonlySet<string> = new Set(Object.values(structureHeadings).flat());
const isHeading = (key: string): key is Heading => known.has(key);

/**
 * Returns a section's name in a language (BCP 47), or in English if the language isn't supported. A custom heading is
 * returned unchanged.
 */
export function sectionName(heading: string, language: string): string {
  return isHeading(heading) ? words[toBcp47(language) ?? 'en'][heading] : heading;
}
