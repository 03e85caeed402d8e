package dev.graspsync.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.graspsync.nostr.ClientMessage;
import dev.graspsync.nostr.NegentropyMessage;
import java.io.IOException;

/** One message's tokens, each taken only in the form the protocol allows. */
final class JsonInput implements AutoCloseable {

    /** NIP-01 sets no limit on a string; this one is beyond any message a relay accepts. */
    static final int MAX_STRING = 4 << 20;

    private static final JsonFactory FACTORY = new JsonFactoryBuilder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(16)
                    .maxNumberLength(32)
                    .maxNameLength(1024)
                    .maxStringLength(MAX_STRING)
                    .build())
            .build();

    private final JsonParser parser;
    /** Bytes that were checked have no lone surrogates; an escape can still spell half a pair. */
    private final boolean mayHaveSurrogates;

    private JsonInput(JsonParser parser, boolean mayHaveSurrogates) {
        this.parser = parser;
        this.mayHaveSurrogates = mayHaveSurrogates;
    }

    /** Opens the array every message is. */
    static JsonInput open(byte[] buf, int off, int len) throws IOException, MalformedException {
        return open(buf, off, len, '[', JsonToken.START_ARRAY, "not a JSON array");
    }

    /** Opens a document that is an object, such as NIP-11's. */
    static JsonInput openObject(byte[] buf, int off, int len) throws IOException, MalformedException {
        return open(buf, off, len, '{', JsonToken.START_OBJECT, "not a JSON object");
    }

    private static JsonInput open(byte[] buf, int off, int len, char first, JsonToken start, String otherwise)
            throws IOException, MalformedException {
        // A byte order mark or a zero byte here would make Jackson read another encoding than UTF-8.
        if (len < 2 || buf[off] > first || buf[off] <= 0 || buf[off + 1] == 0) {
            throw new MalformedException(otherwise);
        }
        if (!Utf8.isValid(buf, off, len)) {
            throw new MalformedException("not valid UTF-8");
        }
        JsonInput input = new JsonInput(FACTORY.createParser(buf, off, len), Utf8.hasUnicodeEscape(buf, off, len));
        input.expect(input.next(), start, otherwise);
        return input;
    }

    JsonToken next() throws IOException, MalformedException {
        JsonToken token = parser.nextToken();
        if (token == null) {
            throw new MalformedException("ends too early");
        }
        return token;
    }

    JsonToken current() {
        return parser.currentToken();
    }

    void skip() throws IOException {
        parser.skipChildren();
    }

    private void expect(JsonToken token, JsonToken wanted, String otherwise) throws MalformedException {
        if (token != wanted) {
            throw new MalformedException(otherwise);
        }
    }

    void startObject(String what) throws IOException, MalformedException {
        expect(next(), JsonToken.START_OBJECT, what + " is not an object");
    }

    void startArray(String what) throws IOException, MalformedException {
        expect(next(), JsonToken.START_ARRAY, what + " is not an array");
    }

    /** Whether another element follows in the array; it is then the current token. */
    boolean hasElement() throws IOException, MalformedException {
        return next() != JsonToken.END_ARRAY;
    }

    /** Whether another field follows in the object; the current token is then its name. */
    boolean hasField() throws IOException, MalformedException {
        return next() != JsonToken.END_OBJECT;
    }

    String fieldName() throws IOException {
        return parser.currentName();
    }

    String string(String what) throws IOException, MalformedException {
        next();
        return currentString(what);
    }

    String currentString(String what) throws IOException, MalformedException {
        expect(parser.currentToken(), JsonToken.VALUE_STRING, what + " is not a string");
        String text = parser.getText();
        if (mayHaveSurrogates && hasLoneSurrogate(text)) {
            throw new MalformedException(what + " contains a lone surrogate");
        }
        return text;
    }

    private static boolean hasLoneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (text.codePointAt(i) <= Character.MAX_VALUE) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }

    long integer(String what, long most) throws IOException, MalformedException {
        next();
        return currentInteger(what, most);
    }

    /** An integer token from 0 to {@code most}: no fraction, exponent, string or minus sign. */
    long currentInteger(String what, long most) throws IOException, MalformedException {
        expect(parser.currentToken(), JsonToken.VALUE_NUMBER_INT, what + " is not an integer");
        boolean fits = parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
        long value = fits ? parser.getLongValue() : -1;
        if (value < 0 || value > most || value == 0 && parser.getTextLength() != 1) {
            throw new MalformedException(what + " is not between 0 and " + most);
        }
        return value;
    }

    String subscriptionId() throws IOException, MalformedException {
        String id = string("subscription id");
        if (id.isEmpty() || id.length() > ClientMessage.MAX_SUBSCRIPTION_ID) {
            throw new MalformedException(
                    "subscription id has not 1 to " + ClientMessage.MAX_SUBSCRIPTION_ID + " characters");
        }
        return id;
    }

    NegentropyMessage negentropyMessage() throws IOException, MalformedException {
        return NegentropyMessage.parse(string("negentropy message"))
                .orElseThrow(() -> new MalformedException("negentropy message is not hex"));
    }

    /** Skips what is left of the message's array, if anything may follow, and refuses all text after it. */
    void end(boolean moreAllowed) throws IOException, MalformedException {
        while (hasElement()) {
            if (!moreAllowed) {
                throw new MalformedException("too many elements");
            }
            skip();
        }
        endOfText();
    }

    void endOfText() throws IOException, MalformedException {
        if (parser.nextToken() != null) {
            throw new MalformedException("text after the message");
        }
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }
}
