import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Special tokens, by id. */
const special = ['<unk>', '<s>', '</s>'];

/** Entries of the vocabulary: the special ones, a token for each byte, then ` t1`, ` t2`, ... */
const VOCABULARY = 4096;

/** The characters by which a byte-level tokenizer writes bytes: printable ones stand for themselves, the rest follow from 256 on. */
function byteCharacters(): string[] {
  const printable = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(printable(byte) ? byte : next++));
}

function vocabulary(): Record<string, number> {
  const bytes = byteCharacters();
  const words = [...special, ...bytes];
  const space = bytes[32] ?? ' ';
  const numbered = Array.from({ length: VOCABULARY - words.length }, (_, i) => `${space}t${i}`);
  return Object.fromEntries([...words, ...numbered].map((word, id) => [word, id]));
}

/**
 * The files of a model folder of a few kilobytes, by name: what a frontend and a worker of Dynamo read of a model, with a
 * vocabulary in which every token of a stream is a number, so that a lost or repeated one shows. There are no weights.
 */
export function modelFiles(): Record<string, string> {
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true };
  const files: Record<string, object> = {
    'config.json': {
      architectures: ['LlamaForCausalLM'],
      model_type: 'llama',
      vocab_size: VOCABULARY,
      hidden_size: 16,
      intermediate_size: 32,
      num_hidden_layers: 2,
      num_attention_heads: 2,
      num_key_value_heads: 2,
      max_position_embeddings: 8192,
      bos_token_id: 1,
      eos_token_id: 2,
      torch_dtype: 'bfloat16',
    },
    'generation_config.json': { bos_token_id: 1, eos_token_id: 2 },
    'tokenizer_config.json': {
      bos_token: '<s>',
      eos_token: '</s>',
      unk_token: '<unk>',
      model_max_length: 8192,
      tokenizer_class: 'PreTrainedTokenizerFast',
      chat_template: "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:",
    },
    'tokenizer.json': {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: special.map((content, id) => ({
        ...{ id, content, special: true, single_word: false, lstrip: false, rstrip: false, normalized: false },
      })),
      normalizer: null,
      pre_tokenizer: byteLevel,
      post_processor: null,
      decoder: { ...byteLevel, add_prefix_space: true },
      model: {
        type: 'BPE',
        dropout: null,
        unk_token: null,
        continuing_subword_prefix: null,
        end_of_word_suffix: null,
        fuse_unk: false,
        byte_fallback: false,
        vocab: vocabulary(),
        merges: [],
      },
    },
  };
  return Object.fromEntries(Object.entries(files).map(([name, content]) => [name, `${JSON.stringify(content)}\n`]));
}

/** Writes a model folder. */
export function writeModel(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(modelFiles())) writeFileSync(join(folder, name), content);
}
