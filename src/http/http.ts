// What the stages that speak http share: a question answered with JSON, and TLS.
export { AnswerError, askJson, type Question } from './json.ts';
export { pem, type TlsSettings, tlsConnect } from './tls.ts';
