from .student_agent import StudentAgent
