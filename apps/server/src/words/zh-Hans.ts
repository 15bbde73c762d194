import type { Words } from './words.ts';

export const zhHans: Words = {
  codeMail: {
    subject: '{code} 是你的 Linnet 验证码',
    lead: '你的验证码：',
    expires: { other: '验证码将在 {minutes} 分钟后失效。' },
    newAddress: '请使用此验证码创建 Linnet 账号。',
    knownAddress: '此邮箱已注册 Linnet 账号。请使用此验证码设置新密码。',
    notRequested: '如果这不是你本人的操作，请忽略此邮件。请勿将验证码告诉任何人。',
  },
  farewellMail: {
    subject: '你的 Linnet 账号已注销',
    deleted: '我们已按你的要求注销你的 Linnet 账号。',
    details:
      '你的录音、文字稿和设置已删除，录音笔可以重新绑定，会员不再自动续费。我们只保留开具发票所需的信息，以及此邮箱地址的单向哈希值，以确保免费时长只赠送一次。',
    registerAgain: '你可以随时用此邮箱重新注册。',
  },
  plans: {
    monthly: 'Linnet VIP 连续包月',
    annual: 'Linnet VIP 连续包年',
    minutes: { other: 'Linnet 转写时长 {minutes} 分钟' },
  },
  checkout: {
    title: '支付 · Linnet',
    testTitle: '测试支付',
    testHint: '无论选择哪一项，都不会扣款。',
    packageTerms: '一次性付款，时长永久有效。',
    monthlyTerms: '每月自动续费，你可以随时停用。',
    annualTerms: '每年自动续费，你可以随时停用。',
    pay: '支付 {price}',
    simulateFailure: '模拟支付失败',
    cancel: '取消',
    back: '返回 Linnet',
    status: {
      paid: '此订单已支付。',
      failed: '支付失败。',
      canceled: '此订单已取消。',
      expired: '此订单已过期。',
      refunded: '此订单已退款。',
    },
    notFound: '找不到此支付页面',
    notFoundHint: '网址不完整，或不属于这台服务器。请返回 Linnet 重新开始。',
  },
};
