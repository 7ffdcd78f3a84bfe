package profile

var Address = address
