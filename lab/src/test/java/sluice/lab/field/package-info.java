/// What went wrong for users of such programs, each as a test over the real process. The letter and
/// number in a test's name is that of the case; counts are small here and full with
/// `-Dfield.full=true`.
package sluice.lab.field;
