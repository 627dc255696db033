package sluice.lab;

/// A command line that cannot be meant.
final class WrongWords extends RuntimeException {

    WrongWords(String message) {
        super(message, null, false, false);
    }
}
