import type { Words } from './words.ts';

export const ko: Words = {
  codeMail: {
    subject: 'Linnet 인증 코드: {code}',
    lead: '인증 코드:',
    expires: { other: '{minutes}분 동안 사용할 수 있어요.' },
    newAddress: '이 코드로 Linnet 계정을 만드세요.',
    knownAddress: '이 주소로 만든 Linnet 계정이 있어요. 이 코드로 새 비밀번호를 설정하세요.',
    notRequested:
      '직접 요청하지 않았다면 이 메일을 무시하세요. 코드는 누구에게도 알려 주지 마세요.',
  },
  farewellMail: {
    subject: 'Linnet 계정이 삭제되었어요',
    deleted: '요청하신 대로 Linnet 계정을 삭제했어요.',
    details:
      '녹음, 스크립트, 설정을 삭제했어요. 녹음기는 다시 등록할 수 있고, 멤버십은 더 이상 갱신되지 않아요. 청구서에 필요한 정보와, 무료 변환 시간이 한 번만 제공되도록 이메일의 단방향 해시값만 보관해요.',
    registerAgain: '언제든 이 주소로 다시 가입할 수 있어요.',
  },
  push: {
    transcriptReady: '스크립트 준비됨',
    todosDue: {
      other: '오늘까지인 할 일 {count}개',
    },
    testTitle: '알림이 작동해요',
    testBody: '이 브라우저에서 Linnet 알림을 받아요.',
  },
  mail: {
    transcriptsReady: {
      other: '스크립트 {count}개 준비됨',
    },
    more: {
      other: '녹음 {count}개 더 보기',
    },
    reason: 'Linnet에서 메일 알림을 켜서 이 메일을 보내 드려요.',
    stop: '메일 알림 끄기',
    stopText: '스크립트와 할 일에 대한 메일을 더 이상 받지 않아요.',
    stopped: '메일 알림을 껐어요',
    stoppedText: 'Linnet의 알림 페이지에서 다시 켤 수 있어요.',
  },
  plans: {
    monthly: 'Linnet VIP 월간',
    annual: 'Linnet VIP 연간',
    minutes: { other: 'Linnet 변환 시간 {minutes}분' },
  },
  checkout: {
    title: '결제 · Linnet',
    testTitle: '테스트 결제',
    testHint: '무엇을 선택해도 요금이 청구되지 않아요.',
    packageTerms: '한 번만 결제해요. 변환 시간은 만료되지 않아요.',
    monthlyTerms: '자동 갱신을 끌 때까지 매월 자동으로 갱신돼요.',
    annualTerms: '자동 갱신을 끌 때까지 매년 자동으로 갱신돼요.',
    pay: '{price} 결제',
    simulateFailure: '결제 실패 시험하기',
    cancel: '취소',
    back: 'Linnet으로 돌아가기',
    status: {
      paid: '결제가 완료된 주문이에요.',
      failed: '결제하지 못했어요.',
      canceled: '취소된 주문이에요.',
      expired: '만료된 주문이에요.',
      refunded: '환불된 주문이에요.',
    },
    notFound: '결제 페이지를 찾을 수 없어요',
    notFoundHint:
      '주소가 완전하지 않거나 이 서버의 주소가 아니에요. Linnet으로 돌아가 다시 시도하세요.',
  },
  note: { mindMap: '마인드맵' },
  share: {
    untitled: '{date} 녹음',
    transcript: '스크립트',
    summary: '요약',
    todos: '할 일',
    audio: '오디오',
    kinds: {
      extractive: '내장 분석기가 스크립트에서 고른 문장이에요.',
      generative: 'AI가 작성했어요. 중요한 내용은 스크립트에서 확인하세요.',
    },
    empty: '아직 없어요.',
    none: '없어요.',
    unavailable: '사용할 수 없어요.',
    playFrom: '{time}부터 재생',
    done: '완료',
    unplayable: '이 브라우저에서는 이 오디오를 재생할 수 없어요.',
    download: '오디오 다운로드',
    passwordTitle: '비밀번호로 보호된 녹음이에요',
    passwordHint: '공유한 사람에게 받은 비밀번호를 입력하세요.',
    password: '비밀번호',
    open: '열기',
    wrongPassword: '비밀번호가 맞지 않아요',
    tooManyAttempts: '시도 횟수가 너무 많아요. 잠시 후 다시 시도하세요.',
    invalidTitle: '유효하지 않은 링크예요',
    invalidText:
      '링크가 만료되었거나, 사용이 중지되었거나, 완전하지 않아요. 공유한 사람에게 새 링크를 요청하세요.',
    failedTitle: '페이지를 불러오지 못했어요',
    failedText: '잠시 후 다시 시도하세요.',
  },
};
