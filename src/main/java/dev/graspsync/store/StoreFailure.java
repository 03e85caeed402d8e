package dev.graspsync.store;

/** The store cannot do what was asked, and an operator has to look: the message says at what. */
public final class StoreFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public StoreFailure(String message) {
        super(message);
    }

    public StoreFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
